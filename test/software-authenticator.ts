/** An authenticator in software: creates passkeys and signs challenges (WebAuthn Level 3), also in ways that a browser would prevent. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

export interface Passkey {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  userHandle: string;
  counter: number;
}

/** What a test changes of a correct response. */
export interface Deviation {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly userHandle?: string;
  readonly counter?: number;
  /** Without user verification: the authenticator did not check PIN or fingerprint. */
  readonly isVerified?: boolean;
  readonly privateKey?: KeyObject;
  readonly format?: 'none' | 'apple';
}

/** The members of the options that the authenticator reads. */
interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

const present = 0x01;
const verified = 0x04;
const attested = 0x40;

const base64 = (bytes: Buffer): string => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest();

/** Byte strings and text strings of CBOR (RFC 8949) with up to 65,535 bytes. */
function cborHead(type: number, length: number): Buffer {
  if (length < 24) return Buffer.of((type << 5) | length);
  return length < 256 ? Buffer.of((type << 5) | 24, length) : Buffer.of((type << 5) | 25, length >> 8, length & 0xff);
}
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);

/** The COSE key of ES256: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const coordinate = (text: string): Buffer => cborBytes(Buffer.from(text, 'base64url'));
  const head = Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21);
  return Buffer.concat([head, coordinate(x), Buffer.of(0x22), coordinate(y)]);
}

function authenticatorData(rpId: string, flags: number, counter: number, credential = Buffer.alloc(0)): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.of(flags), count, credential]);
}

const clientData = (type: 'webauthn.create' | 'webauthn.get', challenge: string, origin: string): Buffer =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

/** Creates a passkey for the options of a registration. */
export function createPasskey(options: Options, origin: string, deviation: Deviation = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const { counter = 0, isVerified = true, format = 'none' } = deviation;
  const length = Buffer.of(0, id.length);
  const credential = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
  const flags = present | attested | (isVerified ? verified : 0);
  const data = authenticatorData(deviation.rpId ?? options.rp?.id ?? '', flags, counter, credential);
  const certificate = Buffer.concat([Buffer.of(0xa1), cborText('x5c'), Buffer.of(0x81), cborBytes(randomBytes(40))]);
  const statement = format === 'none' ? Buffer.of(0xa0) : certificate;
  const attestationObject = Buffer.concat([
    Buffer.of(0xa3),
    ...[cborText('fmt'), cborText(format)],
    ...[cborText('attStmt'), statement],
    ...[cborText('authData'), cborBytes(data)],
  ]);
  const client = clientData('webauthn.create', deviation.challenge ?? options.challenge, deviation.origin ?? origin);
  const passkey: Passkey = { id, privateKey, userHandle: options.user?.id ?? '', counter };
  return { passkey, response: { clientDataJSON: base64(client), attestationObject: base64(attestationObject) } };
}

/** Signs the challenge of a sign-in. */
export function assertPasskey(passkey: Passkey, options: Options, origin: string, deviation: Deviation = {}) {
  const { counter = passkey.counter, isVerified = true, privateKey = passkey.privateKey } = deviation;
  const data = authenticatorData(deviation.rpId ?? options.rpId ?? '', present | (isVerified ? verified : 0), counter);
  const client = clientData('webauthn.get', deviation.challenge ?? options.challenge, deviation.origin ?? origin);
  return {
    id: base64(passkey.id),
    clientDataJSON: base64(client),
    authenticatorData: base64(data),
    signature: base64(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
    userHandle: deviation.userHandle ?? passkey.userHandle,
  };
}

/** Options and verification of WebAuthn (Level 3) with required user verification, over @simplewebauthn/server. */
import { createHash } from 'node:crypto';
import type { PasskeyAssertion, Population as PopulationName, RelyingParty } from '../generated/resolvers.ts';
import type { Credential } from './passkey-table.ts';

/** Loads the library at the first use: it takes 0.2 s and 28 MB. */
const library = () => import('@simplewebauthn/server');

const relyingPartyName = 'Talent Platform';
const timeoutMs = 5 * 60_000;

/** EdDSA, ES256 and RS256. */
const algorithms = [-8, -7, -257];

/** The user handle of a person: opaque, and different in the two populations. */
const handleOf = (population: PopulationName, personId: string): Buffer =>
  createHash('sha256').update(`${population} ${personId}`).digest();

/** Names that tell apart the passkeys of a person who uses the dashboard and the portal. */
const applications: Readonly<Record<PopulationName, string>> = { ADMINISTRATORS: 'dashboard', USERS: 'portal' };

interface Person {
  readonly population: PopulationName;
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** The options of a registration, for `navigator.credentials.create`. */
export async function creationOptions(
  { id: rpID }: RelyingParty,
  { population, id, name, email }: Person,
  challenge: Buffer,
  registered: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  const { generateRegistrationOptions } = await library();
  const options = await generateRegistrationOptions({
    rpName: relyingPartyName,
    rpID,
    userName: `${email} (${applications[population]})`,
    userDisplayName: name,
    userID: new Uint8Array(handleOf(population, id)),
    challenge: new Uint8Array(challenge),
    timeout: timeoutMs,
    attestationType: 'none',
    excludeCredentials: registered.map((credentialId) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  });
  return { ...options };
}

/** The options of a sign-in, for `navigator.credentials.get`: any passkey of the relying party. */
export const requestOptions = ({ id: rpId }: RelyingParty, challenge: string): Readonly<Record<string, unknown>> => ({
  challenge,
  rpId,
  timeout: timeoutMs,
  userVerification: 'required',
});

interface RegistrationResponse {
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/**
 * The credential of a registration; null if it is rejected. The library throws for each violation.
 * An attestation with certificates is rejected before it is verified: the options request none, and the verification would fetch their URLs.
 */
export async function verifyRegistration(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { clientDataJSON, attestationObject }: RegistrationResponse,
  expectedChallenge: string,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject, parseAuthenticatorData } = await import('@simplewebauthn/server/helpers');
  try {
    const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')));
    const isSelfSigned = attestation.get('fmt') === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
    if (attestation.get('fmt') !== 'none' && !isSelfSigned) return null;
    const { credentialID = new Uint8Array() } = parseAuthenticatorData(attestation.get('authData'));
    const id = Buffer.from(credentialID).toString('base64url');
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return null;
    const { publicKey, counter } = registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey), counter };
  } catch {
    return null;
  }
}

/** The signature counter of an assertion; null if it is rejected. The library throws for each violation, also for a counter that did not increase. */
export async function verifyAssertion(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  { id, userHandle, ...response }: PasskeyAssertion,
  expectedChallenge: string,
  owner: { readonly population: PopulationName; readonly id: string },
  { publicKey, counter }: Credential,
): Promise<number | null> {
  if (userHandle !== handleOf(owner.population, owner.id).toString('base64url')) return null;
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response: { ...response, userHandle } },
      expectedChallenge,
      expectedOrigin,
      expectedRPID,
      credential: { id, publicKey: new Uint8Array(publicKey), counter },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

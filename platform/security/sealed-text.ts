/** Texts that are stored encrypted (AES-256-GCM), such as secrets of webhooks and second factors. Their first byte is the version of the root secret. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { secretOfVersion, type Secrets } from './secrets.ts';

const nonceBytes = 12;
const tagBytes = 16;

/** The secrets and the purpose of the key in them. */
export interface SealingKey {
  readonly secrets: Secrets;
  readonly purpose: string;
}

/** Encrypts a text. The owner is authenticated data: the row of another owner does not decrypt. */
export function seal({ secrets, purpose }: SealingKey, owner: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', secrets.derive(purpose), nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(secrets.version), nonce, cipher.getAuthTag(), encrypted]);
}

/** Throws Error for a text that was encrypted with another key or for another owner. */
export function unseal({ secrets, purpose }: SealingKey, owner: string, sealed: Buffer): string {
  const key = secretOfVersion(secrets, sealed[0] ?? 0).derive(purpose);
  const [nonce, tag] = [sealed.subarray(1, 1 + nonceBytes), sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)];
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}

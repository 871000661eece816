/** Texts that are stored encrypted (AES-256-GCM), such as secrets of webhooks and second factors. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const keyVersion = 1;
const nonceBytes = 12;
const tagBytes = 16;

/** Encrypts a text. The owner is authenticated data: the row of another owner does not decrypt. */
export function seal(key: Buffer, owner: string, text: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.of(keyVersion), nonce, cipher.getAuthTag(), encrypted]);
}

/** Throws Error for a text that was encrypted with another key or for another owner. */
export function unseal(key: Buffer, owner: string, sealed: Buffer): string {
  if (sealed[0] !== keyVersion) throw new Error('The encrypted text has an unknown key version.');
  const [nonce, tag] = [sealed.subarray(1, 1 + nonceBytes), sealed.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)];
  const decipher = createDecipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(1 + nonceBytes + tagBytes)), decipher.final()]).toString('utf8');
}

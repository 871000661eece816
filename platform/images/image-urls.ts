/** The URLs of images. Those of persons are signed and expire, so that a copied URL does not outlive the permission to see the photo. */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A URL is valid for 10 to 20 minutes. It stays the same for 10 minutes, so that browsers keep the image. */
const windowSeconds = 600;

/** Emblems are public; photos show persons. */
export type ImageKind = 'emblem' | 'photo';

export const imagesPath = '/images';

const namePattern = /^(emblem|photo)-[\w-]{22}$/;

/** The kind of an image by its ID; null for other texts. */
export function kindOf(id: string): ImageKind | null {
  if (!namePattern.test(id)) return null;
  return id.startsWith('photo-') ? 'photo' : 'emblem';
}

const signatureOf = (key: Buffer, id: string, expires: number): Buffer =>
  createHmac('sha256', key).update(`${id}/${expires}`).digest().subarray(0, 18);

export interface ImageUrlOptions {
  /** Before the path: `https://api.example.org`. */
  readonly base: string;
  /** The key of signatures. Only the processes that sign and verify have it. */
  readonly key: () => Buffer;
  readonly now?: () => number;
}

/** Creates the function that returns the URL of an image by its ID. */
export function createImageUrls({ base, key, now = Date.now }: ImageUrlOptions): (id: string) => string {
  return (id) => {
    const url = `${base}${imagesPath}/${id}`;
    if (kindOf(id) !== 'photo') return url;
    const expires = (Math.floor(now() / 1000 / windowSeconds) + 2) * windowSeconds;
    return `${url}?expires=${expires}&signature=${signatureOf(key(), id, expires).toString('base64url')}`;
  };
}

/** The seconds for which a signed URL is still valid; 0 for an expired one or a wrong signature. */
export function secondsLeft(key: Buffer, id: string, expires: string, signature: string, now: number = Date.now()): number {
  const time = /^\d{10}$/.test(expires) ? Number(expires) : 0;
  const [expected, received] = [signatureOf(key, id, time), Buffer.from(signature, 'base64url')];
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 0;
  return Math.max(0, time - Math.ceil(now / 1000));
}

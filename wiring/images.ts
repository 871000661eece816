/** The images of a process: where their files are, and their URLs. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import { guardStore, openBucket, openLocalStore, type ImageStore } from '../platform/images/image-store.ts';
import { createImageUrls } from '../platform/images/image-urls.ts';
import { createImages, type Images } from '../platform/images/images.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { imageMaxBytes } from '../schema/scalars.ts';
import { dataVariables, imageVariables, ports, processVariables, publicServerVariables, type Source } from './environment.ts';
import { imagePurpose } from './keys.ts';

/** The store of a process that serves images, or that has areas with images. */
export interface ProcessImages {
  readonly store: ImageStore;
  readonly images: Images;
}

/**
 * Opens the store of images of the environment.
 * @throws Error for a bucket without all of its settings
 */
export function openImageStore(source: Source, log: Logger): ImageStore {
  const { IMAGE_DIRECTORY, IMAGE_BUCKET_URL, IMAGE_BUCKET_REGION, IMAGE_BUCKET_KEY_ID, IMAGE_BUCKET_SECRET } = readEnvironment(
    source,
    imageVariables,
  );
  if (IMAGE_BUCKET_URL === null) {
    const { DATA_DIRECTORY } = readEnvironment(source, dataVariables);
    return guardStore(openLocalStore(IMAGE_DIRECTORY ?? join(DATA_DIRECTORY, 'images')), log);
  }
  if (IMAGE_BUCKET_KEY_ID === null || IMAGE_BUCKET_SECRET === null)
    throw new Error('IMAGE_BUCKET_KEY_ID and IMAGE_BUCKET_SECRET are required with IMAGE_BUCKET_URL.');
  const bucket = openBucket({
    url: IMAGE_BUCKET_URL,
    region: IMAGE_BUCKET_REGION,
    accessKeyId: IMAGE_BUCKET_KEY_ID,
    secretAccessKey: IMAGE_BUCKET_SECRET,
  });
  return guardStore(bucket, log);
}

/** Creates the images of a process over a store. `base` is before the path of their URLs. */
export function imagesOver(store: ImageStore, base: string, secrets: Secrets): ProcessImages {
  const urlOf = createImageUrls({ base, key: () => secrets.derive(imagePurpose) });
  return { store, images: createImages({ maxBytes: imageMaxBytes, store, urlOf }) };
}

/** Opens the images of a process. Without PUBLIC_URL their URLs have the port of the REST process on this machine. */
export function openImages(role: string, source: Source, secrets: Secrets, log: Logger): ProcessImages {
  const { PUBLIC_URL } = readEnvironment(source, publicServerVariables);
  const { PORT } = readEnvironment(source, processVariables);
  const port = role === 'all' && PORT !== null ? PORT : ports['rest'];
  const base = PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${port}`;
  return imagesOver(openImageStore(source, log), base, secrets);
}

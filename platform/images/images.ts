/** Images of resources: writes their files before the row refers to them, and removes files that no row refers to. */
import { randomBytes } from 'node:crypto';
import { Problem } from '../../schema/errors.ts';
import { sql, type Queryable } from '../database/database.ts';
import type { ImageStore } from './image-store.ts';
import { imagesPath, type ImageKind } from './image-urls.ts';
import { renderImage, variantSizes, type VariantSize } from './render-image.ts';

/** The file of a variant. */
export const fileOf = (id: string, size: VariantSize): string => `${id}-${size}.webp`;

export interface ImagesOptions {
  /** Maximum size of an uploaded file. */
  readonly maxBytes: number;
  readonly store: ImageStore;
  readonly urlOf: (id: string) => string;
}

export interface Images {
  /** The URL of an image. */
  readonly urlOf: (id: string) => string;
  /**
   * Renders an image and writes its files. Until a row refers to the ID, the image counts as unused and is removed after an hour.
   * Throws Problem validation_failed (422), overloaded or upstream_unavailable (503).
   * @param image the file in base64
   */
  save(database: Queryable, kind: ImageKind, image: string): Promise<string>;
  /** Removes the files of images. Throws Problem upstream_unavailable (503). */
  remove(ids: readonly string[]): Promise<void>;
  /** Removes the files of images that no row refers to any more. Returns whether there may be more. */
  removeUnused(database: Queryable): Promise<boolean>;
}

/** Images per round. */
const batchSize = 50;

function decode(image: string): Buffer {
  const bytes = Buffer.from(image, 'base64');
  // Buffer ignores characters that are not base64
  if (bytes.length > 0 && Math.ceil((bytes.length * 4) / 3) >= image.replace(/=+$/, '').length) return bytes;
  const detail = 'The image is not a file in base64 (RFC 4648).';
  throw new Problem('validation_failed', detail, { errors: [{ pointer: '', code: 'base64', detail }] });
}

/** Creates the images of an area, whose tables have triggers that note unused images. */
export function createImages({ maxBytes, store, urlOf }: ImagesOptions): Images {
  const remove = (ids: readonly string[]): Promise<void> =>
    store.remove(ids.flatMap((id) => variantSizes.map((size) => fileOf(id, size))));
  return {
    urlOf,
    remove,
    async save(database, kind, image) {
      const variants = await renderImage(decode(image), maxBytes);
      const id = `${kind}-${randomBytes(16).toString('base64url')}`;
      // noted first: a process that ends before the row refers to the image leaves no file for ever
      await database.query(
        sql`/* images.note */ insert into unused_image (id, remove_at) values (${id}, now() + interval '1 hour')`,
      );
      await Promise.all([...variants].map(([size, bytes]) => store.write(fileOf(id, size), bytes)));
      return id;
    },
    async removeUnused(database) {
      const rows = await database.query<{ id: string }>(
        sql`/* images.unused */ select id from unused_image where remove_at <= now() order by remove_at limit ${batchSize}`,
      );
      if (rows.length === 0) return false;
      const ids = rows.map(({ id }) => id);
      await remove(ids);
      await database.query(sql`/* images.removed */ delete from unused_image where id = any(${ids})`);
      return rows.length === batchSize;
    },
  };
}

/** The images of an area without a store. */
export const noImages: Images = {
  urlOf: (id) => `${imagesPath}/${id}`,
  save: () => Promise.reject(new Problem('upstream_unavailable', 'This process has no store of images.')),
  remove: () => Promise.resolve(),
  removeUnused: () => Promise.resolve(false),
};

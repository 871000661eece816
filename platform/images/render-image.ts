/** Decodes an uploaded image and renders its variants. libvips decodes on its own threads, so requests do not wait. */
import sharp from 'sharp';
import { Problem } from '../../schema/errors.ts';

/** More pixels than any camera of a phone; an image that claims more is rejected before it is decoded. */
const maxPixels = 50_000_000;

/** Width and height that a variant does not exceed, ascending. An image is never enlarged. */
export const variantSizes = [64, 256, 1024] as const;

export type VariantSize = (typeof variantSizes)[number];

/** Renderings that run at once, and that wait. Each needs memory for its decoded pixels. */
const runningMax = 2;
const waitingMax = 30;

sharp.concurrency(1);
sharp.cache(false);

/** The first bytes of the accepted formats. A declared content type proves nothing. */
const formats: readonly ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
];

const invalid = (code: string, detail: string): Problem =>
  new Problem('validation_failed', detail, { errors: [{ pointer: '', code, detail }] });

let running = 0;
const waiting: (() => void)[] = [];

/** Runs one of a few renderings at a time. Throws Problem overloaded (503) when too many wait. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= runningMax) {
    if (waiting.length >= waitingMax) throw new Problem('overloaded', 'Too many images are being uploaded. Try again.');
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

async function render(bytes: Buffer): Promise<ReadonlyMap<VariantSize, Buffer>> {
  const within = (size: number) => ({ width: size, height: size, fit: 'inside', withoutEnlargement: true }) as const;
  // the orientation of the camera is applied; all other metadata, such as the place of a photo, is not copied
  const decoded = await sharp(bytes, { limitInputPixels: maxPixels, sequentialRead: true, failOn: 'error' })
    .autoOrient()
    .resize(within(1024))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = decoded.info;
  const variants = new Map<VariantSize, Buffer>();
  for (const size of variantSizes) {
    const source = sharp(decoded.data, { raw: { width, height, channels } });
    variants.set(size, await source.resize(within(size)).webp({ quality: 82 }).toBuffer());
  }
  return variants;
}

/**
 * The variants of an image as WebP, by size. Only the first frame of an animation remains.
 * @throws Problem validation_failed (422) for another format, too many pixels or bytes, or a damaged image; overloaded (503)
 */
export async function renderImage(bytes: Buffer, maxBytes: number): Promise<ReadonlyMap<VariantSize, Buffer>> {
  if (bytes.length > maxBytes) throw invalid('too_large', `The image is larger than ${maxBytes / 1024 / 1024} MiB.`);
  if (!formats.some((matches) => matches(bytes)))
    throw invalid('image_format', 'The image is not PNG, JPEG or WebP. Convert it, also if it is SVG.');
  return inTurn(async () => {
    try {
      return await render(bytes);
    } catch (error) {
      const isTooMany = error instanceof Error && /pixel limit/i.test(error.message);
      if (isTooMany)
        throw invalid('too_many_pixels', `The image has more than ${maxPixels / 1_000_000} million pixels. Make it smaller.`);
      throw invalid('image_damaged', 'The image is damaged or incomplete.');
    }
  });
}

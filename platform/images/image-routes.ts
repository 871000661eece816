/** Serves the files of images: `GET /images/{id}?size=64|256|1024`. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { sendProblem, toProblem } from '../http/problem.ts';
import { fileOf } from './images.ts';
import type { ImageStore } from './image-store.ts';
import { imagesPath, kindOf, secondsLeft } from './image-urls.ts';
import { variantSizes, type VariantSize } from './render-image.ts';

export interface ImageRoutesOptions {
  readonly store: ImageStore;
  /** The keys whose signatures of photos are valid. */
  readonly keys: readonly Buffer[];
}

interface ImageRequest {
  Params: { id: string };
  Querystring: Readonly<Record<string, unknown>>;
}

const yearSeconds = 31_536_000;
const largest = variantSizes.at(-1) ?? variantSizes[0];

const one = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The smallest variant that is at least as large as requested; the largest one by default. */
function variantOf(size: unknown): VariantSize {
  if (size === undefined) return largest;
  const pixels = /^\d{1,5}$/.test(one(size)) ? Number(size) : NaN;
  if (!(pixels > 0)) throw new Problem('parameter_invalid', '`size` must be a number of pixels, such as 256.');
  return variantSizes.find((each) => each >= pixels) ?? largest;
}

/** Adds the routes. Other sites may show the images; a browser that opens one as a page runs nothing. */
export function addImageRoutes(app: FastifyInstance, { store, keys }: ImageRoutesOptions): void {
  const send = async (request: FastifyRequest<ImageRequest>, reply: FastifyReply): Promise<FastifyReply> => {
    const { id } = request.params;
    const { size, expires, signature } = request.query;
    const kind = kindOf(id);
    const left =
      kind === 'photo' ? Math.max(...keys.map((key) => secondsLeft(key, id, one(expires), one(signature)))) : yearSeconds;
    if (left === 0) throw new Problem('not_found', 'This URL has expired. Read `imageUrl` of the athlete again.');
    const variant = variantOf(size);
    const bytes = kind === null ? null : await store.read(fileOf(id, variant));
    if (bytes === null) throw new Problem('not_found', 'There is no image at this path.');
    const etag = `"${id}-${variant}"`;
    reply.headers({
      etag,
      'cache-control': kind === 'photo' ? `private, max-age=${left}` : `public, max-age=${yearSeconds}, immutable`,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    return reply.type('image/webp').send(bytes);
  };
  app.get<ImageRequest>(`${imagesPath}/:id`, (request, reply) =>
    send(request, reply).catch((error: unknown) => {
      const problem = toProblem(error);
      if (problem.code === 'internal') request.log.error({ err: error }, 'image request failed');
      return sendProblem(reply.header('cache-control', 'no-store'), problem);
    }),
  );
}

/** Rejects media types that Fastify would accept: charsets other than UTF-8, and merge patches of methods other than PATCH. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import type { Operation } from '../operations/operation.ts';

/** The media types of images. The format is read from the image itself. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

const jsonTypes = ['application/json'] as const;

function mediaType(detail: string, accepted: readonly string[] = jsonTypes): Problem {
  return new Problem('unsupported_media_type', detail, { accepted });
}

const imageRequired = (): Problem => mediaType(`Send the image as ${imageTypes.join(', ')}.`, imageTypes);

/** A rejection of a media type before the operation was known, with the types of images where the operation takes one. */
export function withImageTypes(problem: Problem, operation: Pick<Operation, 'body'> | undefined): Problem {
  return problem.code === 'unsupported_media_type' && operation?.body === 'image' ? imageRequired() : problem;
}

/** The problem with the content type of a body; null when it is supported. */
export function unsupportedBody(request: FastifyRequest, { method, body }: Pick<Operation, 'method' | 'body'>): Problem | null {
  if (request.body === undefined || request.body === null) return null;
  const { 'content-type': type = '' } = request.headers;
  const isImage = type.toLowerCase().startsWith('image/');
  if (body === 'image') return isImage ? null : imageRequired();
  if (isImage) return mediaType('Send the body as application/json.');
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') return mediaType('JSON must be UTF-8. Omit the charset.');
  if (type.toLowerCase().startsWith('application/merge-patch+json') && method !== 'PATCH')
    return mediaType('Only PATCH accepts application/merge-patch+json. Send application/json.');
  return null;
}

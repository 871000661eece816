/** Responses of reads that are sent again while the areas that they were read from stay the same (docs/decisions/0047-response-cache.md). */
import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { callerOf } from '../../platform/http/caller.ts';
import { storeBody, type StoredBody } from '../../platform/http/stored-body.ts';
import type { ResponseSources } from '../../schema/entry-point.ts';
import type { ReadRequest } from '../requests/request-reader.ts';
import type { RestResponse } from './response.ts';

export interface KeptResponse {
  readonly read: ReadRequest;
  readonly sources: ResponseSources;
  readonly headers: RestResponse['headers'];
  readonly body: StoredBody;
}

export interface ResponseCache {
  /** The kept response to the same request of the same caller. It must be confirmed before it is sent. */
  find(request: FastifyRequest): KeptResponse | undefined;
  /** Keeps a response with status 200. */
  keep(request: FastifyRequest, read: ReadRequest, response: RestResponse, sources: ResponseSources): void;
}

const bodyBytesMax = 512 * 1024;
const urlLengthMax = 2_048;
/** Objects and headers of an entry, about. */
const overheadBytes = 2_000;

/** Callers are distinguished by their credentials, so that one caller never takes the place of another. */
function keyOf(request: FastifyRequest): string {
  const { credentials } = callerOf(request);
  const caller = credentials.length === 0 ? '' : hash('sha256', credentials.join(' '), 'base64url');
  return `${caller} ${request.host} ${request.url}`;
}

/** @param maxBytes of bodies, keys and compressed copies, estimated; 0: nothing is kept */
export function createResponseCache(maxBytes: number): ResponseCache {
  const kept = maxBytes === 0 ? null : new LRUCache<string, KeptResponse>({ maxSize: maxBytes });
  // a read with If-Match can fail, and a body is an error
  const isEligible = ({ url, headers, body }: FastifyRequest): boolean =>
    url.length <= urlLengthMax && headers['if-match'] === undefined && (body === undefined || body === null);

  return {
    find: (request) => (kept !== null && isEligible(request) ? kept.get(keyOf(request)) : undefined),
    keep(request, read, { headers, body }, sources) {
      if (kept === null || body === null || body.length > bodyBytesMax || !isEligible(request)) return;
      const key = keyOf(request);
      // a compressed copy is about a quarter of the body
      const size = key.length * 2 + Math.ceil(Buffer.byteLength(body) * 1.5) + overheadBytes;
      kept.set(key, { read, sources, headers, body: storeBody(body, 5) }, { size, ttl: sources.maxAgeMs });
    },
  };
}

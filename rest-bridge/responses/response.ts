/** From what the router answered to what the client is sent. */
import { getNamedType } from 'graphql';
import { pathOf } from '../../platform/http/problem.ts';
import type { OperationResponse } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { mergeOutcomes } from '../requests/batch.ts';
import { cacheControl, entityTag, matchesTag, matchesVersion } from './caching.ts';
import type { Operation } from '../operations/operation.ts';
import { problemOf } from './execution-problem.ts';
import type { ReadRequest } from '../requests/request-reader.ts';
import { versionPath } from '../versions.ts';

export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null for an answer without a body. */
  readonly body: string | null;
}

export interface ResponseContext {
  /** Path and query of the request. */
  readonly url: string;
  /** Scheme and host the client reaches us by: `https://api.example.com`; empty when nobody has told us. */
  readonly base: string;
  readonly ifNoneMatch: string | undefined;
  readonly ifMatch: string | undefined;
  /** The path below which the resource is read (`/api/v1/clubs`); null when no operation reads it. */
  readonly collection: string | null;
}

type Value = Readonly<Record<string, unknown>>;

/** In lower case: @fastify/compress would add it again otherwise. */
const vary = 'accept-encoding, x-api-key, authorization';

/**
 * The whole answer to a request; a redirect (308) where what was asked for is one with something else.
 * Throws the Problem the errors come to (a REST answer is whole or an error), not_found for a null root, precondition_failed for a read whose If-Match is not met.
 */
export function buildResponse(
  operation: Operation,
  read: ReadRequest,
  answer: OperationResponse,
  around: ResponseContext,
): RestResponse {
  if (answer.errors.length > 0) throw problemOf(answer.errors, operation);
  const value = answer.data?.[operation.rootName] as Value | null | undefined;
  if (value === undefined) throw new Error(`${operation.name} answered neither a value nor an error`);
  const reads = operation.method === 'GET';
  const headers: Record<string, string> = { 'cache-control': cacheControl(answer, reads), vary };
  if (answer.notes.replayed) headers['idempotent-replayed'] = 'true';
  if (answer.notes.consistencyToken !== undefined) headers['x-consistency-token'] = answer.notes.consistencyToken;
  const { moved } = answer.notes;
  if (operation.redirects && moved !== undefined)
    return { status: 308, headers: { ...headers, location: around.url.replace(moved.from, moved.to) }, body: null };
  if (value === null) throw new Problem('not_found', 'There is nothing here by that name.');
  if (operation.status === 201 && around.collection !== null)
    headers['location'] = `${around.collection}/${encodeURIComponent(String(value['id']))}`;
  if (operation.status === 204) return { status: 204, headers, body: null };

  const body = JSON.stringify(shape(value, read));
  const version = operation.versioned ? value['version'] : undefined;
  if (reads && version !== undefined && around.ifMatch !== undefined && !matchesVersion(around.ifMatch, version)) {
    throw new Problem('precondition_failed', `The resource is at version ${Number(version)}.`, { version });
  }
  if (reads || version !== undefined) headers['etag'] = entityTag(body, version);
  const next = reads ? nextCursor(value) : null;
  if (next !== null) headers['link'] = `<${around.base}${nextUrl(around.url, next)}>; rel="next"`;
  if (reads && around.ifNoneMatch !== undefined && matchesTag(around.ifNoneMatch, headers['etag'] ?? ''))
    return { status: 304, headers, body: null };
  headers['content-type'] = 'application/json; charset=utf-8';
  return { status: operation.status, headers, body };
}

function shape(value: Value, read: ReadRequest): unknown {
  if (read.batch) return mergeOutcomes(read.batch, value['data'] as Parameters<typeof mergeOutcomes>[1]);
  if (read.hidden.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => !read.hidden.includes(member)));
}

function nextCursor(value: Value): string | null {
  const page = value['page'];
  const cursor = typeof page === 'object' && page !== null && 'nextCursor' in page ? page.nextCursor : null;
  return typeof cursor === 'string' ? cursor : null;
}

/** The same request with another cursor; every other parameter stays as the client wrote it. */
function nextUrl(url: string, cursor: string): string {
  const path = pathOf(url);
  const kept = url
    .slice(path.length + 1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('cursor='));
  return `${path}?${[...kept, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
}

/**
 * Where each type of resource is read, by the type's name and major: a created one is not always below the path that made it
 * (a transfer answers with the next membership). What is within another resource is read below the path that made it.
 */
export function collectionsOf(operations: readonly Operation[]): (created: Operation, url: string) => string | null {
  const key = ({ rootType, major }: Operation): string => `${major} ${getNamedType(rootType).name}`;
  const reads = operations.filter(
    ({ method, responseKind, path }) => method === 'GET' && responseKind === 'one' && /^[^{]+\/\{\w+\}$/.test(path),
  );
  const collections = new Map(
    reads.map((operation) => [key(operation), versionPath(operation.major) + operation.path.replace(/\/\{\w+\}$/, '')]),
  );
  const items = new Set(operations.filter(({ method }) => method === 'GET').map(({ path, major }) => `${major} ${path}`));
  const isWithin = ({ path, major }: Operation): boolean => path.includes('{') && items.has(`${major} ${path}/{id}`);
  return (created, url) => collections.get(key(created)) ?? (isWithin(created) ? pathOf(url) : null);
}

/** Builds the HTTP response of an operation from the router's response. */
import { getNamedType } from 'graphql';
import { pathOf } from '../../platform/http/problem.ts';
import type { OperationResponse } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { Operation } from '../operations/operation.ts';
import { mergeOutcomes } from '../requests/batch.ts';
import type { ReadRequest } from '../requests/request-reader.ts';
import { versionPath } from '../versions.ts';
import { matchesTag } from '../../platform/http/entity-tag.ts';
import { cacheControl, entityTag, matchesVersion } from './caching.ts';
import { problemOf } from './execution-problem.ts';
import { missingResource } from './missing-resource.ts';

export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text; null for a response without a body. */
  readonly body: string | null;
}

/** What a response needs to know of its request. */
export interface ResponseContext {
  /** Path and query of the request. */
  readonly url: string;
  /** Public scheme and host: `https://api.example.com`; empty when it is not configured. */
  readonly base: string;
  readonly ifMatch: string | undefined;
  /** The path under which a created resource can be read (`/api/v1/clubs`); null without such an operation. */
  readonly collection: string | null;
}

type Value = Readonly<Record<string, unknown>>;
type Headers = Record<string, string>;

/** Lower case: @fastify/compress would add a second entry otherwise. */
export const vary = 'accept, accept-encoding, x-api-key, authorization';

/** The headers of every response, with and without a body. */
function commonHeaders(response: OperationResponse, isRead: boolean): Headers {
  const { replayed, consistencyToken } = response.notes;
  const headers: Headers = { 'cache-control': cacheControl(response, isRead), vary };
  if (replayed) headers['idempotent-replayed'] = 'true';
  if (consistencyToken !== undefined) headers['x-consistency-token'] = consistencyToken;
  return headers;
}

/**
 * The complete response to a request, before its If-None-Match is compared; a redirect (308) when the resource was merged into another one.
 * Throws the Problem of the errors (a REST response is complete or an error), not_found for a null root, precondition_failed for a read whose If-Match does not match.
 */
export function buildResponse(
  operation: Operation,
  read: ReadRequest,
  response: OperationResponse,
  context: ResponseContext,
): RestResponse {
  if (response.errors.length > 0) throw problemOf(response.errors, operation);
  // Cast: the root of a valid operation is an object or null.
  const value = response.data?.[operation.rootName] as Value | null | undefined;
  if (value === undefined) throw new Error(`${operation.name} returned neither a value nor an error`);
  const isRead = operation.method === 'GET';
  const headers = commonHeaders(response, isRead);
  const { moved } = response.notes;
  if (operation.redirects && moved !== undefined)
    return {
      status: 308,
      headers: { ...headers, location: context.url.replace(new RegExp(moved.from, 'i'), moved.to) },
      body: null,
    };
  if (value === null) throw missingResource(operation, read.variables);
  if (operation.status === 201) addLocation(headers, value, context);
  if (operation.status === 204) return { status: 204, headers, body: null };

  const body = JSON.stringify(representationOf(value, read));
  const version = operation.versioned ? value['version'] : undefined;
  const etag = isRead || version !== undefined ? entityTag(body, version) : null;
  if (etag !== null) headers['etag'] = etag;
  if (isRead) {
    checkIfMatch(version, context);
    addNextLink(headers, value, context);
  }
  headers['content-type'] = 'application/json; charset=utf-8';
  return { status: operation.status, headers, body };
}

function addLocation(headers: Headers, value: Value, { collection }: ResponseContext): void {
  if (collection !== null) headers['location'] = `${collection}/${encodeURIComponent(String(value['id']))}`;
}

/** Whether the client already has the response to its read. */
export function isNotModified(
  { status, headers: { etag } }: Pick<RestResponse, 'status' | 'headers'>,
  ifNoneMatch: string | undefined,
): boolean {
  return status === 200 && etag !== undefined && ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag);
}

function checkIfMatch(version: unknown, { ifMatch }: ResponseContext): void {
  if (version === undefined || ifMatch === undefined || matchesVersion(ifMatch, version)) return;
  throw new Problem('precondition_failed', `The current version of the resource is ${Number(version)}.`, { version });
}

function representationOf(value: Value, read: ReadRequest): unknown {
  // Cast: the documents of batches select a list of outcomes as `data`.
  if (read.batch) return mergeOutcomes(read.batch, value['data'] as Parameters<typeof mergeOutcomes>[1]);
  if (read.hidden.length === 0) return value;
  return Object.fromEntries(Object.entries(value).filter(([member]) => !read.hidden.includes(member)));
}

function addNextLink(headers: Headers, value: Value, { base, url }: ResponseContext): void {
  const page = value['page'];
  const cursor = typeof page === 'object' && page !== null && 'nextCursor' in page ? page.nextCursor : null;
  if (typeof cursor === 'string') headers['link'] = `<${base}${nextUrl(url, cursor)}>; rel="next"`;
}

/** The same URL with another cursor; all other parameters stay as the client sent them. */
function nextUrl(url: string, cursor: string): string {
  const path = pathOf(url);
  const others = url
    .slice(path.length + 1)
    .split('&')
    .filter((part) => part !== '' && !part.startsWith('cursor='));
  return `${path}?${[...others, `cursor=${encodeURIComponent(cursor)}`].join('&')}`;
}

/**
 * The path under which each resource type can be read. A created resource is not always below the path that created it: a transfer
 * returns the next membership. A nested resource can be read below the path that created it.
 */
export function collectionsOf(operations: readonly Operation[]): (created: Operation, url: string) => string | null {
  const keyOf = ({ rootType, major }: Operation): string => `${major} ${getNamedType(rootType).name}`;
  const reads = operations.filter(
    ({ method, responseKind, path }) => method === 'GET' && responseKind === 'one' && /^[^{]+\/\{\w+\}$/.test(path),
  );
  const collections = new Map(
    reads.map((operation) => [keyOf(operation), versionPath(operation.major) + operation.path.replace(/\/\{\w+\}$/, '')]),
  );
  const readPaths = new Set(operations.filter(({ method }) => method === 'GET').map(({ path, major }) => `${major} ${path}`));
  const isNested = ({ path, major }: Operation): boolean => path.includes('{') && readPaths.has(`${major} ${path}/{id}`);
  return (created, url) => collections.get(keyOf(created)) ?? (isNested(created) ? pathOf(url) : null);
}

/** The caller of a request as received; the REST bridge passes it on without interpreting it. */
import type { FastifyRequest } from 'fastify';
import type { Caller, RequestLine } from '../../schema/entry-point.ts';
import { pathOf } from './problem.ts';

export function callerOf(request: FastifyRequest): Caller {
  return {
    credentials: credentialsOf(request.raw.rawHeaders),
    address: request.clientAddress,
    host: request.host,
    requestId: request.id,
    traceparent: request.scope?.traceparent ?? null,
    request: requestLineOf(request),
  };
}

/** Maximum lengths of what is kept. */
const pathMax = 400;
const userAgentMax = 200;
/** A URL is kept for some seconds: a short part of a long one must not keep the whole in memory. */
const urlMax = 1_000;

/** The start of a text without the text itself: a substring keeps the whole in memory. */
const startOf = (text: string, length: number): string => Buffer.from(text.slice(0, length)).toString();

function requestLineOf({ method, url, headers: { 'user-agent': userAgent } }: FastifyRequest): RequestLine {
  const path = pathOf(url);
  return {
    method,
    path: url.length > urlMax || path.length > pathMax ? startOf(path, pathMax) : path,
    userAgent:
      userAgent === undefined || userAgent.length <= userAgentMax ? (userAgent ?? null) : startOf(userAgent, userAgentMax),
  };
}

/**
 * All distinct keys of the raw headers: Node keeps only the first Authorization header, but a second key must be rejected.
 * Credentials of other schemes than Bearer are passed on and rejected as invalid keys: such a request is never treated as anonymous.
 */
export function credentialsOf(rawHeaders: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = (rawHeaders[index + 1] ?? '').trim();
    if (name === 'x-api-key') found.add(value);
    else if (name === 'authorization') found.add(value.replace(/^bearer(?:\s+|$)/i, ''));
  }
  return found.size > 0 ? [...found] : none;
}

const none: readonly string[] = Object.freeze([]);

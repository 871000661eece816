/** Entity tags and cache control (docs/api-conventions.md). */
import { hash } from 'node:crypto';
import { opaqueTag } from '../../platform/http/entity-tag.ts';
import type { OperationResponse } from '../../schema/entry-point.ts';

/** Rate limit headers belong to one caller: a shared cache must not store them. */
const shared =
  'public, max-age=30, no-cache="RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"';

export function cacheControl(response: OperationResponse, isRead: boolean): string {
  if (!isRead) return 'no-store';
  if (response.notes.minor) return 'private, no-store';
  if (response.notes.person) return 'private, no-cache';
  return response.authenticated ? 'private' : shared;
}

/** `"<version>-<hash>"` for a resource with a version; weak for lists and computed responses. */
export function entityTag(body: string, version: unknown): string {
  const digest = hash('sha1', body, 'base64url').slice(0, 20);
  return typeof version === 'number' ? `"${version}-${digest}"` : `W/"${digest}"`;
}

/** If-Match compares only the version, so that the ETag of a partial representation also guards a write. */
export function matchesVersion(ifMatch: string, version: unknown): boolean {
  return ifMatch
    .split(',')
    .some(
      (candidate) => candidate.trim() === '*' || /^"?(\d+)(?:-[^"]*)?"?$/.exec(opaqueTag(candidate))?.[1] === String(version),
    );
}

/** If-Match: the version that a write expects. */
import { Problem } from '../../schema/errors.ts';

/** `"3"`, `"3-hash"`, `3`, weak forms and lists of them; RFC 9110 section 13.1.1, comparing only the version part. */
const entityTag = /^(?:W\/)?"?(\d{1,9})(?:-[^"]*)?"?$/;

/**
 * Rejects a write that expects another version than the current one; `*` accepts any version.
 * Throws Problem precondition_failed (412).
 */
export function requireVersion(ifMatch: string, version: number): void {
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (tags.some((tag) => tag === '*' || Number(entityTag.exec(tag)?.[1]) === version)) return;
  throw new Problem(
    'precondition_failed',
    `The resource is at version ${version}, but If-Match is ${ifMatch}. Fetch the current version and apply your change again.`,
    { version },
  );
}

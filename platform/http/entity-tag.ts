/** Comparison of entity tags (RFC 9110, section 13.1). */

/** A tag without its mark of weakness, for weak comparison. */
export const opaqueTag = (tag: string): string => tag.trim().replace(/^W\//, '');

/** If-None-Match by weak comparison of the whole tag (RFC 9110 section 13.1.2). */
export function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((candidate) => opaqueTag(candidate) === opaqueTag(tag));
}

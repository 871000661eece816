/** The majors of the REST API, one row each: a major is a folder of operations and this row. */
export interface Major {
  readonly major: number;
  /** ISO day from which clients are told to move on (RFC 9745 `Deprecation`). */
  readonly deprecatedAt?: string;
  /** ISO day from which the major answers 410 (RFC 8594 `Sunset`). */
  readonly sunsetAt?: string;
}

export const versions: readonly Major[] = [{ major: 1 }];

/** The path every route of a major begins with: `/api/v1`. */
export function versionPath(major: number): string {
  return `/api/v${major}`;
}

/** True from the day a major answers nothing but 410. */
export function isSunset(version: Major, nowMs: number): boolean {
  return version.sunsetAt !== undefined && Date.parse(version.sunsetAt) <= nowMs;
}

/**
 * The headers that tell a client of the end of a major; none for an undated one.
 * `successor` is the newest major of the table, when it is not this one.
 */
export function versionHeaders(
  version: Major,
  table: readonly Major[],
): { headers: Readonly<Record<string, string>>; link: string | null } {
  const headers: Record<string, string> = {};
  if (version.deprecatedAt !== undefined) headers['deprecation'] = `@${Math.floor(Date.parse(version.deprecatedAt) / 1000)}`;
  if (version.sunsetAt !== undefined) headers['sunset'] = new Date(version.sunsetAt).toUTCString();
  const newest = Math.max(...table.map((row) => row.major));
  const dated = version.deprecatedAt !== undefined || version.sunsetAt !== undefined;
  return { headers, link: dated && newest > version.major ? `<${versionPath(newest)}>; rel="successor-version"` : null };
}

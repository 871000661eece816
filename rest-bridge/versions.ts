/** The major versions of the REST API: each is a folder of operations and a row here. */
export interface Major {
  readonly major: number;
  /** ISO date from which the version is deprecated (RFC 9745 `Deprecation`). */
  readonly deprecatedAt?: string;
  /** ISO date from which the version responds with 410 (RFC 8594 `Sunset`). */
  readonly sunsetAt?: string;
}

export const versions: readonly Major[] = [{ major: 1 }];

/** The path prefix of a major version: `/api/v1`. */
export function versionPath(major: number): string {
  return `/api/v${major}`;
}

/** True once the version only responds with 410. */
export function isSunset(version: Major, nowMs: number): boolean {
  return version.sunsetAt !== undefined && Date.parse(version.sunsetAt) <= nowMs;
}

/**
 * The deprecation headers of a version; none without dates.
 * `link` refers to the newest version of the table, if it is another one.
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

/** Error codes of the operating system, Node and PostgreSQL, such as `ENOENT` and `28P01`. */

/** The `code` of an error. Uses no `instanceof Error`, which fails for errors of another realm, such as a worker's or a test's. */
export function errorCode(error: unknown): string | undefined {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

/** Whether an error has one of these codes. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
}

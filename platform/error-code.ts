/**
 * True for a fault of the operating system or of PostgreSQL with that code (`ENOENT`, `28P01`).
 * Recognised by code alone: `instanceof Error` fails for errors of another realm, such as a worker's or a test's.
 */
export function hasErrorCode(fault: unknown, ...codes: readonly string[]): boolean {
  return (
    typeof fault === 'object' && fault !== null && 'code' in fault && typeof fault.code === 'string' && codes.includes(fault.code)
  );
}

/** pg_dump and pg_restore of PostgreSQL 18: the embedded PostgreSQL does not contain them. */
import { execFileSync } from 'node:child_process';

function areInstalled(): boolean {
  try {
    return ['pg_dump', 'pg_restore'].every((tool) => /\) 18\./.test(execFileSync(tool, ['--version'], { encoding: 'utf8' })));
  } catch {
    return false;
  }
}

/** `test` or `describe` when the tools are installed, else their `skip`. */
export function withPostgresTools<Define extends { readonly skip: unknown }>(define: Define): Define | Define['skip'] {
  return areInstalled() ? define : define.skip;
}

/** Turns a violated database constraint into a problem that says what to do, by a table each area gives. */
import { Problem, type ErrorCode } from '../../schema/errors.ts';

/** Constraint name → what the caller is told. */
export type Constraints = Readonly<Record<string, { readonly code: ErrorCode; readonly detail: string }>>;

/** SQLSTATE: unique, exclusion, check and foreign-key violations. */
const violations = new Set(['23505', '23P01', '23514', '23503']);

/** Constraints of the tables that every area has. */
const common: Constraints = {
  external_id_registry: {
    code: 'conflict',
    detail: 'An external id of a public registry belongs to another resource. Correct it, or remove it from this one.',
  },
};

/** The Problem of a known constraint; any other error as it is. */
export function translateConstraint(error: unknown, constraints: Constraints): unknown {
  if (!(error instanceof Error) || !('code' in error) || !violations.has(String(error.code))) return error;
  const row = 'constraint' in error ? { ...common, ...constraints }[String(error.constraint)] : undefined;
  return row ? new Problem(row.code, row.detail) : error;
}

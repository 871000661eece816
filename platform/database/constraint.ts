/** Translates violated database constraints to problems, by a table that each area defines. */
import { Problem, type ErrorCode } from '../../schema/errors.ts';

/** Constraint name → problem. */
export type Constraints = Readonly<Record<string, { readonly code: ErrorCode; readonly detail: string }>>;

/** SQLSTATE: unique, exclusion, check and foreign-key violations. */
const violations = new Set(['23505', '23P01', '23514', '23503']);

/** Constraints of the tables that every area has. */
const common: Constraints = {
  external_id_registry: {
    code: 'conflict',
    detail: 'A registry ID in externalIds belongs to another resource. Correct or remove it.',
  },
};

/** The Problem of a known constraint violation; all other errors unchanged. */
export function translateConstraint(error: unknown, constraints: Constraints): unknown {
  if (!(error instanceof Error) || !('code' in error) || !violations.has(String(error.code))) return error;
  const row = 'constraint' in error ? { ...common, ...constraints }[String(error.constraint)] : undefined;
  return row ? new Problem(row.code, row.detail) : error;
}

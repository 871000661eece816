/** The rules of administrators that need no database. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { roleRefusal } from '../../../schema/roles.ts';
import type { Scope } from '../../../schema/scopes.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { requireAdministrator } from '../rules.ts';

/** The platform itself may, an administrator by role. Throws Problem api_key_missing (401) or insufficient_scope (403). */
export function requireRight(viewer: Viewer, scope: Scope): void {
  requireAdministrator(viewer);
  if (viewer.kind === 'SYSTEM' || viewer.scopes.includes(scope)) return;
  throw new Problem('insufficient_scope', roleRefusal(viewer.administrator?.role, [scope]), { requiredScopes: [scope] });
}

/** Only the router asks, for the platform. Throws Problem insufficient_scope (403). */
export function requireSystem(viewer: Viewer): void {
  if (viewer.kind !== 'SYSTEM') throw new Problem('insufficient_scope', 'Only the platform itself may do this.');
}

const emailPattern = /^[^@\s]+@[^@\s]+$/u;

/** Faults of a name and an address. */
export function profileViolations({ name, email }: { readonly name: string; readonly email: string }): Violation[] {
  const violations: Violation[] = [];
  if (name.trim() === '') violations.push({ pointer: '/name', code: 'required', detail: 'A name has a letter or more.' });
  if (Array.from(name).length > 200)
    violations.push({ pointer: '/name', code: 'too_long', detail: 'A name has at most 200 characters.' });
  if (/\p{Cc}/u.test(name)) violations.push({ pointer: '/name', code: 'invalid', detail: 'A name has no control characters.' });
  if (Array.from(email).length > 320 || !emailPattern.test(email.trim()) || /\p{Cc}/u.test(email))
    violations.push({ pointer: '/email', code: 'invalid', detail: 'This is no address of mail.' });
  return violations;
}

/** Who did something, as a column keeps it: the administrator's id, which outlives names, or the kind of viewer. */
export const actorOf = ({ kind, administrator }: Viewer): string => (administrator ? `administrator:${administrator.id}` : kind);

/** The id of the administrator that `actorOf` wrote; null for other actors. */
export function administratorIdOf(actor: string | null): string | null {
  return /^administrator:(.+)$/.exec(actor ?? '')?.[1] ?? null;
}

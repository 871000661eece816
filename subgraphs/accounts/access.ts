/** Access rules for the resolvers of the accounts area. */
import { Problem } from '../../schema/errors.ts';
import { roleRefusal } from '../../schema/roles.ts';
import type { Scope } from '../../schema/scopes.ts';
import { hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import type { Context } from '../runtime/subgraph.ts';

/** Requires an administrator or the platform. Throws Problem api_key_missing (401) or insufficient_scope (403). */
export function requireAdministrator(viewer: Viewer): void {
  if (hasFullAccess(viewer)) return;
  const code = viewer.kind === 'ANONYMOUS' ? 'api_key_missing' : 'insufficient_scope';
  throw new Problem(code, 'Only administrators have access.');
}

/** Requires an administrator whose role has the scope, or the platform. Throws Problem api_key_missing (401) or insufficient_scope (403). */
export function requireScope(viewer: Viewer, scope: Scope): void {
  requireAdministrator(viewer);
  if (viewer.kind === 'SYSTEM' || viewer.scopes.includes(scope)) return;
  throw new Problem('insufficient_scope', roleRefusal(viewer.administrator?.role, [scope]), { requiredScopes: [scope] });
}

/** Requires the platform itself, such as the router. Throws Problem insufficient_scope (403). */
function requireSystem(viewer: Viewer): void {
  if (viewer.kind !== 'SYSTEM') throw new Problem('insufficient_scope', 'Only the platform has access.');
}

/** The public ID of the request's API key. Throws Problem api_key_missing (401) without a key. */
export function requireKey(viewer: Viewer): string {
  if (viewer.keyId !== null) return viewer.keyId;
  throw new Problem('api_key_missing', 'An API key is required. Send it in the x-api-key header.');
}

type Resolve<Parent, Args, Result> = (args: Args, context: Context, parent: Parent) => Result;

const guarded =
  (require: (viewer: Viewer) => void) =>
  <Parent, Args, Result>(resolve: Resolve<Parent, Args, Result>) =>
  (parent: Parent, args: Args, context: Context): Result => {
    require(context.viewer);
    return resolve(args, context, parent);
  };

/** A resolver for administrators. The public schema hides its field; the check also protects calls that bypass that schema. */
export const forAdministrators = guarded(requireAdministrator);

/** A resolver for administrators whose role has the scope. */
export const forScope = (scope: Scope) => guarded((viewer) => requireScope(viewer, scope));

/** A resolver that only the router calls. */
export const forPlatform = guarded(requireSystem);

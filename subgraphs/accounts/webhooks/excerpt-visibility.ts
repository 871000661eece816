/** Who reads the stored texts of attempts: viewers with the read scopes with which the event was rendered. */
import { scopes as allScopes, type Scope } from '../../../schema/scopes.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { WebhookAttemptRow } from './delivery-rows.ts';

/** The scopes that let a viewer read more; the others are for changes. */
export const readScopesOf = (scopes: readonly Scope[]): Scope[] => scopes.filter((scope) => !allScopes[scope].write);

/** What attempts of earlier versions may contain: their scopes were not stored. */
const unknownScopes: readonly string[] = ['minors:read'];

/** Whether the texts of an attempt are visible. Texts without a resource always are. */
export function canReadExcerpts(viewer: Viewer, { hasMentions, scopes }: WebhookAttemptRow): boolean {
  if (!hasMentions || hasFullAccess(viewer)) return true;
  const own: readonly string[] = viewer.scopes;
  return (scopes ?? unknownScopes).every((scope) => own.includes(scope));
}

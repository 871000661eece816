/** Viewers of the stored texts of attempts: administrators that read minors, and viewers with the read scopes with which the event was rendered. */
import { scopes as allScopes, type Scope } from '../../../schema/scopes.ts';
import { readsMinors, type Viewer } from '../../../schema/viewer.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { WebhookAttemptRow } from './delivery-rows.ts';

/** The scopes that let a viewer read more; the others are for changes. */
export const readScopesOf = (scopes: readonly Scope[]): Scope[] => scopes.filter((scope) => !allScopes[scope].write);

/** What attempts of earlier versions may contain: their scopes were not stored. */
const unknownScopes: readonly string[] = ['minors:read'];

/**
 * Whether the texts of an attempt are visible. Texts without a resource always are. Administrators that do not read minors read no others: a text
 * can concern a minor whose ID it does not contain.
 */
function isVisible(viewer: Viewer, { mentions, scopes }: WebhookAttemptRow): boolean {
  if (mentions.length === 0 || readsMinors(viewer)) return true;
  if (viewer.kind === 'ADMINISTRATOR') return false;
  const own: readonly string[] = viewer.scopes;
  return (scopes ?? unknownScopes).every((scope) => own.includes(scope));
}

const administratorReads = createAdministratorReads<WebhookAttemptRow>('WEBHOOKS', ({ mentions }) => mentions);

/** Whether the viewer can read the texts of attempts. */
export const canReadExcerpts: BatchRead<WebhookAttemptRow, boolean> = async (attempts, context) => {
  const readable = new Set(await administratorReads.rows(context, attempts));
  return attempts.map((attempt) => readable.has(attempt) && isVisible(context.viewer, attempt));
};

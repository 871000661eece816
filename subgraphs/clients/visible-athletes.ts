/** Whom a viewer may see at this moment, asked of the athletes area: for what an account keeps about athletes, or asks their owners. */
import { Problem } from '../../schema/errors.ts';
import { factsById } from './facts-by-id.ts';
import type { Context } from '../runtime/subgraph.ts';

export interface VisibleAthlete {
  readonly id: string;
  readonly accountId: string;
  /** A minor, or of unknown age. */
  readonly minor: boolean;
  /** What guardians consented to, as far as it is in force. */
  readonly consentScopes: readonly string[];
}

const query = /* GraphQL */ `
  query visibleAthletes($ids: [ID!]!) {
    visibleAthletes(ids: $ids) {
      id
      accountId
      minor
      consentScopes
    }
  }
`;

/** Those of the athletes whom the viewer may see now, whole or restricted: an unknown and a hidden id are missing alike. One fetch for up to 1000. */
export const visibleAthletes = (
  { graph }: Pick<Context, 'graph'>,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, VisibleAthlete>> => factsById(graph, query, 'visibleAthletes', ids);

/** The athlete as the viewer may see him or her now; undefined for an unknown and for a hidden id alike. */
export async function visibleAthlete(
  context: Pick<Context, 'graph'>,
  id: string | undefined,
): Promise<VisibleAthlete | undefined> {
  if (id === undefined) return undefined;
  return (await visibleAthletes(context, [id])).get(id);
}

/** Throws Problem consent_required (409) for a minor whose guardian has not consented to CONTACT (domain.md section 4). */
export function requireContactConsent({ minor, consentScopes }: VisibleAthlete): void {
  if (!minor || consentScopes.includes('CONTACT')) return;
  const detail = 'A minor, or an athlete of unknown age, is contacted only with the consent of a guardian.';
  throw new Problem('consent_required', detail, { missingScopes: ['CONTACT'] });
}

/** Whom a viewer may see at this moment, asked of the athletes area: for what an account keeps about athletes, or asks their owners. */
import { Problem } from '../schema/errors.ts';
import { factsById } from './facts-by-id.ts';
import type { Context } from './subgraph.ts';

export interface SeenAthlete {
  readonly id: string;
  readonly accountId: string;
  /** A minor, or of unknown age. */
  readonly minor: boolean;
  /** What guardians consented to, as far as it is in force. */
  readonly consentScopes: readonly string[];
}

const query = /* GraphQL */ `
  query seenAthletes($ids: [ID!]!) {
    seenAthletes(ids: $ids) {
      id
      accountId
      minor
      consentScopes
    }
  }
`;

/** The athlete, whole or restricted, as the viewer may see him or her now; undefined for an unknown and for a hidden id alike. */
export async function seenAthlete({ graph }: Pick<Context, 'graph'>, id: string | undefined): Promise<SeenAthlete | undefined> {
  if (id === undefined) return undefined;
  return (await factsById<SeenAthlete>(graph, query, 'seenAthletes', [id])).get(id);
}

/** Throws Problem consent_required (409) for a minor whose guardian has not consented to CONTACT (domain.md section 4). */
export function requireContactConsent({ minor, consentScopes }: SeenAthlete): void {
  if (!minor || consentScopes.includes('CONTACT')) return;
  const detail = 'A minor, or an athlete of unknown age, is contacted only with the consent of a guardian.';
  throw new Problem('consent_required', detail, { missingScopes: ['CONTACT'] });
}

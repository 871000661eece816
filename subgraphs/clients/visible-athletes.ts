/** Athletes that are visible to a viewer now, read from the athletes area: for shortlists, contact requests and other private data. */
import { Problem } from '../../schema/errors.ts';
import type { Context } from '../runtime/subgraph.ts';
import { factsById } from './facts-by-id.ts';
import type { VisibleAthletesQuery } from './generated/graphql.ts';
import { graphql } from './graphql.ts';

/** A visible athlete. `minor` includes athletes of unknown age; `consentScopes` are the consents in force. */
export type VisibleAthlete = NonNullable<VisibleAthletesQuery['visibleAthletes']>[number];

const query = graphql(`
  query visibleAthletes($ids: [ID!]!) {
    visibleAthletes(ids: $ids) {
      id
      accountId
      minor
      consentScopes
      sportCodes
      bornIn
    }
  }
`);

/** The athletes that are visible to the viewer, complete or restricted. Unknown and hidden ids are missing. One fetch for up to 1,000 ids. */
export const visibleAthletes = (
  { graph }: Pick<Context, 'graph'>,
  ids: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, VisibleAthlete>> => factsById(graph, query, 'visibleAthletes', ids);

/** The athlete as visible to the viewer; undefined for an unknown or hidden id. */
export async function visibleAthlete(
  context: Pick<Context, 'graph'>,
  id: string | undefined,
): Promise<VisibleAthlete | undefined> {
  if (id === undefined) return undefined;
  return (await visibleAthletes(context, [id])).get(id);
}

/** Throws Problem consent_required (409) for a minor without a guardian's consent to CONTACT (docs/minors.md). */
export function requireContactConsent({ minor, consentScopes }: VisibleAthlete): void {
  if (!minor || consentScopes.includes('CONTACT')) return;
  const detail = 'Contact with a minor or an athlete of unknown age requires the consent of a guardian.';
  throw new Problem('consent_required', detail, { missingScopes: ['CONTACT'] });
}

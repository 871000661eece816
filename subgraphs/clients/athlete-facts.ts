/** Athletes that a caller may reference, read from the athletes area. */
import type { Violation } from '../../schema/errors.ts';
import { hasFullAccess, owns, readsMinors, type Viewer } from '../../schema/viewer.ts';
import { idsOf, type RelayedEvent } from '../../platform/events/consumer.ts';
import type { Context } from '../runtime/subgraph.ts';
import { factsById } from './facts-by-id.ts';
import type { AthleteFactsQuery } from './generated/graphql.ts';
import { graphql } from './graphql.ts';

/** An athlete. `public`: the profile is visible to everyone; `minor` includes unknown ages; `consentScopes` are the consents in force. */
export type AthleteFacts = NonNullable<AthleteFactsQuery['athletesById']>[number];

/** The reference to an athlete by which the router fetches the athlete from the athletes area. */
export interface AthleteReference {
  readonly ref: string;
}

/** The export of an athlete, to which every area adds its data. */
export interface ExportReference {
  readonly id: string;
}

export type AthletesById = ReadonlyMap<string, AthleteFacts>;

const query = graphql(`
  query athleteFacts($ids: [ID!]!) {
    athletesById(ids: $ids) {
      id
      accountId
      status
      public
      minor
      consentScopes
      sports {
        sport
        primary
      }
    }
  }
`);

/** Athletes by id. Absent ids are ignored; unknown ids are missing. One fetch for up to 1,000 ids. */
export function athletesById(
  { graph }: Pick<Context, 'graph'>,
  ids: readonly (string | null | undefined)[],
): Promise<AthletesById> {
  return factsById(graph, query, 'athletesById', ids);
}

type OwnedAthlete = Pick<AthleteFacts, 'accountId' | 'minor'>;

/** Whether a viewer reads everything that the owner of an athlete reads. */
const readsLikeOwner = (viewer: Viewer, { accountId, minor }: OwnedAthlete): boolean =>
  owns(viewer, accountId) || readsMinors(viewer) || (hasFullAccess(viewer) && !minor);

/** Whether an athlete is visible to a viewer; false for an unknown athlete. */
export function isAthleteVisible(athlete: AthleteFacts | undefined, viewer: Viewer): boolean {
  return athlete !== undefined && (athlete.public || readsLikeOwner(viewer, athlete));
}

/** The export of an athlete; null unless the viewer owns the athlete, or is an administrator that can read it. */
export async function exportOf(
  context: Pick<Context, 'graph' | 'viewer'>,
  { id }: ExportReference,
): Promise<ExportReference | null> {
  const athlete = (await athletesById(context, [id])).get(id);
  return athlete && readsLikeOwner(context.viewer, athlete) ? { id } : null;
}

/** The ids that the viewer may reference: of public athletes and of the viewer's own. One fetch for up to 1,000 ids. */
export async function visibleAthleteIds(
  context: Pick<Context, 'graph' | 'viewer'>,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlySet<string>> {
  const athletes = await athletesById(context, ids);
  return new Set([...athletes.values()].filter((athlete) => isAthleteVisible(athlete, context.viewer)).map(({ id }) => id));
}

/** The violation for an unknown athlete; hidden athletes return the same. */
export function unknownAthleteViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_athlete', detail: 'There is no athlete with this ID.' };
}

/** The athletes that events concern, without duplicates: by their own events or by events of their statistics. */
export function athleteIdsOf(events: readonly RelayedEvent[]): string[] {
  const ofStatistics = events.flatMap(({ resourceType, data: { athleteId } }) =>
    resourceType === 'statistics' && typeof athleteId === 'string' ? [athleteId] : [],
  );
  return [...new Set([...idsOf(events, 'athlete'), ...ofStatistics])];
}

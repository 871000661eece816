/** Whom a caller may name, asked of the athletes area: for resources that refer to athletes. */
import { owns, hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import type { Violation } from '../../schema/errors.ts';
import type { Sport } from '../../schema/sports.ts';
import { idsOf, type RelayedEvent } from '../../platform/events/relay.ts';
import { factsById } from './facts-by-id.ts';
import type { Context } from '../runtime/subgraph.ts';

export interface AthleteFacts {
  readonly id: string;
  readonly accountId: string;
  /** State of the lifecycle. */
  readonly status: string;
  /** Whether everybody sees the profile. */
  readonly public: boolean;
  /** A minor, or of unknown age. */
  readonly minor: boolean;
  /** What guardians consent to, in force now. */
  readonly consentScopes: readonly string[];
  readonly sports: readonly { readonly sport: Sport; readonly primary: boolean }[];
}

/** What an area says of an athlete: enough for the router to ask the athletes area. */
export interface AthleteReference {
  readonly ref: string;
}

/** The export of an athlete, to be filled by every area. */
export interface ExportReference {
  readonly id: string;
}

export type AthletesById = ReadonlyMap<string, AthleteFacts>;

const query = /* GraphQL */ `
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
`;

/** Facts by athlete id; absent ids are passed over, unknown ones are missing. One fetch for up to 1000 athletes. */
export function athletesById(
  { graph }: Pick<Context, 'graph'>,
  ids: readonly (string | null | undefined)[],
): Promise<AthletesById> {
  return factsById(graph, query, 'athletesById', ids);
}

/** Whether a viewer may know of an athlete; undefined where there is none. */
export function isAthleteVisible(athlete: AthleteFacts | undefined, viewer: Viewer): boolean {
  return athlete !== undefined && (athlete.public || owns(viewer, athlete.accountId) || hasFullAccess(viewer));
}

/** The export of an athlete; null for who does not own the athlete, whoever else let the reader come so far. */
export async function exportOf(
  context: Pick<Context, 'graph' | 'viewer'>,
  { id }: ExportReference,
): Promise<ExportReference | null> {
  const athlete = (await athletesById(context, [id])).get(id);
  return athlete && (owns(context.viewer, athlete.accountId) || hasFullAccess(context.viewer)) ? { id } : null;
}

/** Those of the ids that the viewer may name: of public athletes, and of his own. One fetch for up to 1000 athletes. */
export async function visibleAthleteIds(
  context: Pick<Context, 'graph' | 'viewer'>,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlySet<string>> {
  const athletes = await athletesById(context, ids);
  return new Set([...athletes.values()].filter((athlete) => isAthleteVisible(athlete, context.viewer)).map(({ id }) => id));
}

/** The fault of an athlete that there is not, or that the viewer may not know of: both answer alike. */
export function unknownAthleteViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_athlete', detail: 'There is no athlete with this id.' };
}

/** The athletes of whom events tell something new, each once: themselves, or their statistics. */
export function athleteIdsOf(events: readonly RelayedEvent[]): string[] {
  const told = events.flatMap(({ resourceType, data: { athleteId } }) =>
    resourceType === 'statistics' && typeof athleteId === 'string' ? [athleteId] : [],
  );
  return [...new Set([...idsOf(events, 'athlete'), ...told])];
}

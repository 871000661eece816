/** Which competitions and seasons a caller may name, asked of the competitions area: for resources that refer to them. */
import { owns, hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import type { Violation } from '../../schema/errors.ts';
import type { Sport } from '../../schema/sports.ts';
import { factsById } from './facts-by-id.ts';
import type { Context } from '../runtime/subgraph.ts';

export interface CompetitionFacts {
  readonly id: string;
  readonly accountId: string;
  readonly sport: Sport;
  /** Whether everybody sees it. */
  readonly public: boolean;
}

export interface SeasonFacts extends CompetitionFacts {
  readonly competitionId: string;
}

type Ids = readonly (string | null | undefined)[];

const competitionFacts = /* GraphQL */ `
  query competitionFacts($ids: [ID!]!) {
    competitionsById(ids: $ids) {
      id
      accountId
      sport
      public
    }
  }
`;

const seasonFacts = /* GraphQL */ `
  query seasonFacts($ids: [ID!]!) {
    seasonsById(ids: $ids) {
      id
      competitionId
      accountId
      sport
      public
    }
  }
`;

/** Those of some facts that the viewer may know of, by id. */
function known<Facts extends CompetitionFacts>(viewer: Viewer, facts: ReadonlyMap<string, Facts>): ReadonlyMap<string, Facts> {
  const isKnown = (of: Facts): boolean => of.public || owns(viewer, of.accountId) || hasFullAccess(viewer);
  return new Map([...facts].filter(([, of]) => isKnown(of)));
}

/** Competitions that the viewer may know of, by id; absent ids are passed over. One fetch for up to 1000 of them. */
export async function visibleCompetitionIds(
  { graph, viewer }: Pick<Context, 'graph' | 'viewer'>,
  ids: Ids,
): Promise<ReadonlyMap<string, CompetitionFacts>> {
  return known(viewer, await factsById<CompetitionFacts>(graph, competitionFacts, 'competitionsById', ids));
}

/** Seasons that the viewer may know of, by id; absent ids are passed over. One fetch for up to 1000 of them. */
export async function visibleSeasons(
  { graph, viewer }: Pick<Context, 'graph' | 'viewer'>,
  ids: Ids,
): Promise<ReadonlyMap<string, SeasonFacts>> {
  return known(viewer, await factsById<SeasonFacts>(graph, seasonFacts, 'seasonsById', ids));
}

/** The fault of a season that there is not, or that the viewer may not know of: both answer alike. */
export function unknownSeasonViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_season', detail: 'There is no season with this id.' };
}

/** The fault of a competition that there is not, or that the viewer may not know of: both answer alike. */
export function unknownCompetitionViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_competition', detail: 'There is no competition with this id.' };
}

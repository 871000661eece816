/** Competitions and seasons that a caller may reference, read from the competitions area. */
import type { Violation } from '../../schema/errors.ts';
import { hasFullAccess, owns, type Viewer } from '../../schema/viewer.ts';
import type { Context } from '../runtime/subgraph.ts';
import { factsById } from './facts-by-id.ts';
import type { CompetitionFactsQuery, SeasonFactsQuery } from './generated/graphql.ts';
import { graphql } from './graphql.ts';

export type CompetitionFacts = NonNullable<CompetitionFactsQuery['competitionsById']>[number];

export type SeasonFacts = NonNullable<SeasonFactsQuery['seasonsById']>[number];

type Ids = readonly (string | null | undefined)[];

const competitionFacts = graphql(`
  query competitionFacts($ids: [ID!]!) {
    competitionsById(ids: $ids) {
      id
      accountId
      sport
      level
      ageGroup
      public
    }
  }
`);

const seasonFacts = graphql(`
  query seasonFacts($ids: [ID!]!) {
    seasonsById(ids: $ids) {
      id
      competitionId
      accountId
      sport
      public
    }
  }
`);

/** The facts that are visible to the viewer, by id. */
function visible<Facts extends Pick<CompetitionFacts, 'public' | 'accountId'>>(
  viewer: Viewer,
  facts: ReadonlyMap<string, Facts>,
): ReadonlyMap<string, Facts> {
  const isVisible = (each: Facts): boolean => each.public || owns(viewer, each.accountId) || hasFullAccess(viewer);
  return new Map([...facts].filter(([, each]) => isVisible(each)));
}

/** Visible competitions by id. Absent ids are ignored. One fetch for up to 1,000 ids. */
export async function visibleCompetitions(
  { graph, viewer }: Pick<Context, 'graph' | 'viewer'>,
  ids: Ids,
): Promise<ReadonlyMap<string, CompetitionFacts>> {
  return visible(viewer, await factsById(graph, competitionFacts, 'competitionsById', ids));
}

/** Visible seasons by id. Absent ids are ignored. One fetch for up to 1,000 ids. */
export async function visibleSeasons(
  { graph, viewer }: Pick<Context, 'graph' | 'viewer'>,
  ids: Ids,
): Promise<ReadonlyMap<string, SeasonFacts>> {
  return visible(viewer, await factsById(graph, seasonFacts, 'seasonsById', ids));
}

/** The violation for an unknown season; hidden seasons return the same. */
export function unknownSeasonViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_season', detail: 'There is no season with this ID.' };
}

/** The violation for an unknown competition; hidden competitions return the same. */
export function unknownCompetitionViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_competition', detail: 'There is no competition with this ID.' };
}

/** Finds resources by name in the area that has them. */
import type { Sport } from '../../schema/sports.ts';
import type { Context } from '../runtime/subgraph.ts';
import { graphql } from './graphql.ts';

type FoundType = 'ATHLETE' | 'TEAM' | 'ORGANIZATION' | 'COMPETITION' | 'OPPORTUNITY';

export interface FoundName {
  readonly type: FoundType;
  readonly id: string;
  readonly name: string;
  /** The name that has the words of the text. */
  readonly matchedName: string;
  readonly sports: readonly Sport[];
  readonly country?: string | null | undefined;
  readonly shortName?: string | null | undefined;
  readonly category?: string | null | undefined;
  readonly ageGroup?: string | null | undefined;
  readonly imageUrl?: string | null | undefined;
}

interface NameSearch {
  readonly q: string;
  readonly first: number;
  readonly sport: Sport[] | null;
}

const athletes = graphql(`
  query athletesByName($q: String!, $first: Int!, $sport: [Sport!]) {
    athleteSuggestions(q: $q, first: $first, sport: $sport) {
      nodes {
        id
        name: displayName
        matchedName
        sports
        country
      }
    }
  }
`);

const teams = graphql(`
  query teamsByName($q: String!, $first: Int!, $sport: [Sport!]) {
    teamsByName(q: $q, first: $first, sport: $sport) {
      id
      name
      matchedName
      sports
      country
      shortName
      category
      ageGroup
      imageUrl
    }
  }
`);

const organizations = graphql(`
  query organizationsByName($q: String!, $first: Int!, $sport: [Sport!]) {
    organizationsByName(q: $q, first: $first, sport: $sport) {
      id
      name
      matchedName
      sports
      country
      shortName
      imageUrl
    }
  }
`);

const competitions = graphql(`
  query competitionsByName($q: String!, $first: Int!, $sport: [Sport!]) {
    competitionsByName(q: $q, first: $first, sport: $sport) {
      id
      name
      matchedName
      sports
      country
      category
      ageGroup
      imageUrl
    }
  }
`);

const opportunities = graphql(`
  query opportunitiesByName($q: String!, $first: Int!, $sport: [Sport!]) {
    opportunitiesByName(q: $q, first: $first, sport: $sport) {
      id
      name
      matchedName
      sports
      country
    }
  }
`);

/** The maximum of the suggestions. */
const athletesMax = 20;

type Found = readonly Omit<FoundName, 'type'>[] | null | undefined;

const finders: Readonly<Record<FoundType, (graph: Context['graph'], variables: NameSearch) => Promise<Found>>> = {
  ATHLETE: async (graph, { first, ...search }) =>
    (await graph(athletes, { ...search, first: Math.min(first, athletesMax) })).athleteSuggestions?.nodes,
  TEAM: async (graph, search) => (await graph(teams, search)).teamsByName,
  ORGANIZATION: async (graph, search) => (await graph(organizations, search)).organizationsByName,
  COMPETITION: async (graph, search) => (await graph(competitions, search)).competitionsByName,
  OPPORTUNITY: async (graph, search) => (await graph(opportunities, search)).opportunitiesByName,
};

/** The best matches of a type among the public resources. Throws Problem upstream_unavailable when its area is unavailable. */
export async function findNames({ graph }: Pick<Context, 'graph'>, type: FoundType, search: NameSearch): Promise<FoundName[]> {
  return ((await finders[type](graph, search)) ?? []).map((found) => ({ ...found, type }));
}

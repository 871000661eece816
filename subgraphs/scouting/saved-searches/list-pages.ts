/** Pages of the lists that saved searches read, as the account reads them: the newest items, and those that changed. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { graphql } from '../../clients/graphql.ts';
import type { OpportunityFilter, SavedSearchKind } from '../generated/resolvers.ts';
import { listNames, type Searched, type SearchedList } from './searched-list.ts';

const athletesQuery = graphql(`
  query searchedAthletes($filter: AthleteFilter!, $first: Int!, $after: String) {
    athletes(filter: $filter, first: $first, after: $after, sort: CREATED_AT_DESC) {
      nodes {
        id
        createdAt
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const prospectsQuery = graphql(`
  query searchedProspects($filter: ProspectFilter!, $first: Int!, $after: String, $sort: ProspectSort!) {
    prospects(filter: $filter, first: $first, after: $after, sort: $sort) {
      nodes {
        computedAt
        athlete {
          id
          createdAt
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const opportunitiesQuery = graphql(`
  query searchedOpportunities($filter: OpportunityFilter!, $first: Int!, $after: String) {
    opportunities(filter: $filter, first: $first, after: $after, sort: CREATED_AT_DESC) {
      nodes {
        id
        createdAt
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

/** An athlete or opportunity in a list. */
export interface Subject {
  readonly id: string;
  readonly createdAt: string;
}

export interface SubjectPage {
  readonly subjects: readonly Subject[];
  /** Null on the last page. */
  readonly next: string | null;
}

interface PageRequest {
  /** The cursor of the page; null for the first. */
  readonly after: string | null;
  /** Reads only what changed at or after this time; null for all items, newest first. */
  readonly changedSince: string | null;
}

const first = 100;

type ReadPage = (graph: Graph, list: SearchedList, page: PageRequest) => Promise<SubjectPage>;

const readAthletes: ReadPage = async (graph, { athletes }, { after, changedSince }) => {
  const filter = { ...athletes, ...(changedSince !== null && { updatedSince: changedSince }) };
  const { athletes: page } = await graph(athletesQuery, { filter, first, after });
  return { subjects: page?.nodes ?? [], next: page?.pageInfo.nextCursor ?? null };
};

/** Prospects have no list of changes: they are read by the time of their latest change, as long as it is not before. */
const readProspects: ReadPage = async (graph, { prospects }, { after, changedSince }) => {
  const sort = changedSince === null ? 'EMERGING_FIRST' : 'COMPUTED_AT_DESC';
  const { prospects: page } = await graph(prospectsQuery, { filter: { ...prospects }, first, after, sort });
  const nodes = page?.nodes ?? [];
  const changed = nodes.filter(({ computedAt }) => changedSince === null || Date.parse(computedAt) >= Date.parse(changedSince));
  return {
    subjects: changed.flatMap(({ athlete }) => athlete ?? []),
    next: changed.length < nodes.length ? null : (page?.pageInfo.nextCursor ?? null),
  };
};

/** The list of changes has opportunities in any status: without a status only those are searched that accept applications. */
const openOnly = (filter: OpportunityFilter): OpportunityFilter =>
  filter.status || filter.mine || filter.externalId ? filter : { ...filter, status: ['PUBLISHED'] };

const readOpportunities: ReadPage = async (graph, { opportunities = {} }, { after, changedSince }) => {
  const filter = changedSince === null ? opportunities : { ...openOnly(opportunities), updatedSince: changedSince };
  const { opportunities: page } = await graph(opportunitiesQuery, { filter, first, after });
  return { subjects: page?.nodes ?? [], next: page?.pageInfo.nextCursor ?? null };
};

const readers: Readonly<Record<SavedSearchKind, ReadPage>> = {
  ATHLETES: readAthletes,
  PROSPECTS: readProspects,
  OPPORTUNITIES: readOpportunities,
};

/** Pages of one walk through a list. */
const pagesMax = 10;

export interface Walk {
  readonly subjects: readonly Subject[];
  /** The cursor to continue with; null at the end of the list. */
  readonly next: string | null;
}

/** Reads up to 1,000 items of a list. */
export async function readWalk(graph: Graph, { kind, filter }: Searched, start: PageRequest): Promise<Walk> {
  const subjects: Subject[] = [];
  let after = start.after;
  for (let pages = 0; pages < pagesMax; pages++) {
    const page = await readers[kind](graph, filter, { ...start, after });
    subjects.push(...page.subjects);
    after = page.next;
    if (after === null) break;
  }
  return { subjects, next: after };
}

/**
 * What a search finds now: its newest 1,000 matches.
 * Throws Problem validation_failed (422) with the errors of the list, each with the pointer into the body.
 */
export async function readNewest(graph: Graph, searched: Searched): Promise<Walk> {
  try {
    return await readWalk(graph, searched, { after: null, changedSince: null });
  } catch (error) {
    if (error instanceof Problem && error.code === 'parameter_invalid') rejectFilter(error, searched.kind);
    throw error;
  }
}

/** Throws Problem validation_failed (422) for a filter that the list rejects. */
function rejectFilter({ message, extensions }: Problem, kind: SavedSearchKind): never {
  const list = `/filter/${listNames[kind]}`;
  const errors = extensions.errors ?? [];
  rejectInvalid(
    errors.map(({ parameter, code, detail }) => ({ pointer: parameter ? `${list}/${parameter}` : list, code, detail })),
  );
  throw new Problem('validation_failed', message, { errors: [{ pointer: list, code: 'invalid', detail: message }] });
}

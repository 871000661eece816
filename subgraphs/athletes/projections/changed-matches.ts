/** Finds the matches that events of the competitions area affect. */
import { idsOf, type RelayedEvent } from '../../../platform/events/consumer.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import type { MatchesToCountQuery } from '../../clients/generated/graphql.ts';
import { graphql } from '../../clients/graphql.ts';

const matchIdsOf = graphql(`
  query matchesToCount($seasonIds: [ID!]!, $contestIds: [ID!]!, $participantIds: [ID!]!, $after: ID) {
    matchIdsOf(seasonIds: $seasonIds, contestIds: $contestIds, participantIds: $participantIds, after: $after)
  }
`);

/** All matches of changed seasons, contests and participants. */
async function findMatches(events: readonly RelayedEvent[], graph: Graph): Promise<string[]> {
  const idsOfType = (type: string, resource: string): string[] =>
    idsOf(
      events.filter((event) => event.type === type),
      resource,
    );
  const seasonIds = idsOfType('season.status_changed', 'season');
  const contestIds = idsOfType('contest.updated', 'contest');
  const participantIds = idsOfType('participant.updated', 'participant');
  if (seasonIds.length + contestIds.length + participantIds.length === 0) return [];
  const all: string[] = [];
  for (let after: string | undefined | null = null; after !== undefined;) {
    const data: MatchesToCountQuery = await graph(matchIdsOf, { seasonIds, contestIds, participantIds, after });
    const ids = data.matchIdsOf ?? [];
    all.push(...ids);
    after = ids.at(-1);
  }
  return all;
}

/** Resource types whose events name their match in `data.matchId`. */
const partsOfMatch = ['match_action', 'result'];

/** The ids of the matches that events affect, without duplicates. */
export async function findChangedMatches(events: readonly RelayedEvent[], graph: Graph): Promise<string[]> {
  const named = events.flatMap(({ resourceType, data: { matchId } }) =>
    partsOfMatch.includes(resourceType) && typeof matchId === 'string' ? [matchId] : [],
  );
  return [...new Set([...idsOf(events, 'match'), ...named, ...(await findMatches(events, graph))])];
}

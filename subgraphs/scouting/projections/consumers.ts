/** What scouting hears of other areas: athletes and their statistics, whom they play for, and the day. */
import { sql, type Database } from '../../../platform/database/database.ts';
import { idsOf, type Consumer, type RelayedEvent } from '../../../platform/events/relay.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { latestToday } from '../../runtime/age.ts';
import { athleteIdsOf } from '../../clients/athlete-facts.ts';
import { projectAthletes } from './prospects.ts';
import { createProspectRenewal } from './cohorts.ts';
import { sweep } from './sweep.ts';

const publicAthleteIds = /* GraphQL */ `
  query publicAthletesAfter($after: ID) {
    publicAthleteIds(after: $after)
  }
`;

const membershipsById = /* GraphQL */ `
  query membersNow($ids: [ID!]!) {
    membershipsById(ids: $ids) {
      athleteId
    }
  }
`;

/** Whose memberships changed. */
async function membersOf(events: readonly RelayedEvent[], graph: Graph): Promise<string[]> {
  const ids = idsOf(events, 'membership');
  if (ids.length === 0) return [];
  const data = await graph(membershipsById, { ids });
  const rows = data['membershipsById'] as readonly { athleteId: string | null }[];
  return [...new Set(rows.flatMap(({ athleteId }) => athleteId ?? []))];
}

const renewedMax = 500;

/** The projections of this area. Facts are read as they are now, so events that come twice or late change nothing. */
export function scoutingConsumers({ database }: { readonly database: Database }): readonly Consumer[] {
  const renewScores = createProspectRenewal(database);
  /** Cohorts wait for an hour; those of everybody who was swept do not. */
  let swept = false;
  return [
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction, graph) {
        const ids = athleteIdsOf(events);
        if (ids.length > 0) await projectAthletes(transaction, ids, graph);
      },
      async catchUp(graph) {
        const more = await sweep(database, {
          name: 'athletes',
          idsAfter: async (after) => (await graph(publicAthleteIds, { after }))['publicAthleteIds'] as string[],
          project: (transaction, ids) => projectAthletes(transaction, ids, graph),
        });
        const renewing = !more && swept && (await renewScores());
        swept = more || renewing;
        return swept;
      },
      async refresh(graph) {
        const due = await database.query<{ id: string }>(sql`/* scouting.dueProspects */
          select distinct athlete_id as id from prospect where refresh_on <= ${latestToday()}::date limit ${renewedMax}::int`);
        const ids = due.map(({ id }) => id);
        if (ids.length > 0) await database.transaction((transaction) => projectAthletes(transaction, ids, graph));
        return ids.length === renewedMax;
      },
    },
    {
      name: 'memberships',
      source: 'organizations',
      database,
      async apply(events, transaction, graph) {
        const ids = await membersOf(events, graph);
        if (ids.length > 0) await projectAthletes(transaction, ids, graph);
      },
      // after the athletes' own: what their birthdays changed is compared in the same upkeep
      refresh: () => renewScores(),
    },
  ];
}

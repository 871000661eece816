/** The event consumers of the scouting area, with its timers. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { idsOf, type Consumer, type RelayedEvent } from '../../../platform/events/consumer.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { graphql } from '../../clients/graphql.ts';
import { athleteIdsOf } from '../../clients/athlete-facts.ts';
import { latestToday } from '../../runtime/age.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { belongsTo } from '../prospects/traits.ts';
import { savedSearchesConsumer } from '../saved-searches/matching.ts';
import { createProspectRenewal } from './cohorts.ts';
import { openOpportunitiesConsumer, opportunityOrganizationsConsumer } from './open-opportunities.ts';
import { projectAthletes } from './prospects.ts';
import { removedAthletesConsumer } from './removed-athletes.ts';
import { sweep } from './sweep.ts';

const publicAthleteIds = graphql(`
  query publicAthletesAfter($after: ID) {
    publicAthleteIds(after: $after)
  }
`);

const membershipsById = graphql(`
  query membersNow($ids: [ID!]!) {
    membershipsById(ids: $ids) {
      athleteId
    }
  }
`);

/** The athletes of changed memberships. */
async function fetchMembers(events: readonly RelayedEvent[], graph: Graph): Promise<string[]> {
  const ids = idsOf(events, 'membership');
  if (ids.length === 0) return [];
  const memberships = (await graph(membershipsById, { ids })).membershipsById ?? [];
  return [...new Set(memberships.flatMap(({ athleteId }) => athleteId ?? []))];
}

/** The athletes of organizations that were hidden or published: their memberships count or do not count. */
async function membersOf(events: readonly RelayedEvent[], transaction: Queryable): Promise<string[]> {
  const ids = idsOf(
    events.filter(({ type }) => type === 'organization.status_changed'),
    'organization',
  );
  if (ids.length === 0) return [];
  const rows = await transaction.query<{ id: string }>(
    sql`/* scouting.membersOf */ select prospect.athlete_id as id from prospect where ${belongsTo(ids)}`,
  );
  return rows.map(({ id }) => id);
}

/** The number of athletes that one projection reads. */
const projectedMax = 1000;

const refreshedMax = 500;

/** Projects prospects from events of athletes and statistics, from a sweep, and on birthdays. */
function athletesConsumer({ database }: AreaServices, renewScores: () => Promise<boolean>): Consumer {
  /** Whether a sweep ran. Cohorts are renewed hourly, but immediately after a sweep. */
  let swept = false;
  return {
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
        idsAfter: async (after) => (await graph(publicAthleteIds, { after })).publicAthleteIds ?? [],
        project: (transaction, ids) => projectAthletes(transaction, ids, graph),
      });
      const renewing = !more && swept && (await renewScores());
      swept = more || renewing;
      return swept;
    },
    async refresh(graph) {
      const due = await database.query<{ id: string }>(sql`/* scouting.dueProspects */
        select distinct athlete_id as id from prospect where refresh_on <= ${latestToday()}::date limit ${refreshedMax}::int`);
      const ids = due.map(({ id }) => id);
      if (ids.length > 0) await database.transaction((transaction) => projectAthletes(transaction, ids, graph));
      return ids.length === refreshedMax;
    },
  };
}

/** Projects the athletes of changed memberships, and those of organizations that were hidden or published. */
function membershipsConsumer({ database }: AreaServices, renewScores: () => Promise<boolean>): Consumer {
  return {
    name: 'memberships',
    source: 'organizations',
    database,
    async apply(events, transaction, graph) {
      const ids = [...new Set([...(await fetchMembers(events, graph)), ...(await membersOf(events, transaction))])];
      for (let from = 0; from < ids.length; from += projectedMax)
        await projectAthletes(transaction, ids.slice(from, from + projectedMax), graph);
    },
    // It runs after the renewal of the athletes consumer, so the same maintenance run covers birthdays.
    refresh: () => renewScores(),
  };
}

/** Consumers read the current data of the other areas, so repeated and late events have no effect. */
export function scoutingConsumers(services: AreaServices): readonly Consumer[] {
  const { database } = services;
  const renewScores = createProspectRenewal(database);
  return [
    athletesConsumer(services, renewScores),
    membershipsConsumer(services, renewScores),
    openOpportunitiesConsumer(database),
    opportunityOrganizationsConsumer(database),
    removedAthletesConsumer(services),
    savedSearchesConsumer(services),
  ];
}

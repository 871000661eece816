/** Copies the events of all areas into one feed, in one order. */
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import type { Consumer, RelayedEvent } from '../../../platform/events/consumer.ts';
import { areas, type Area } from '../../../schema/areas.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { nodesMax } from '../../../schema/node-types.ts';
import { feedChannel } from '../../../schema/feed.ts';
import { graphql } from '../../clients/graphql.ts';

/** Not `nodes`: accounts resolves it with further queries, and an area never acts as the system (platform/security/ticket.ts). */
const subjectSports = graphql(`
  query subjectSports($ids: [ID!]!) {
    matches(first: 100, filter: { ids: $ids }) {
      nodes {
        id
        sport
      }
    }
    seasons(first: 100, filter: { ids: $ids }) {
      nodes {
        id
        sport
      }
    }
  }
`);

/** The sports of the subjects of events whose resources have none, such as match actions. */
async function readSports(events: readonly RelayedEvent[], graph: Graph): Promise<ReadonlyMap<string, string>> {
  const ids = [
    ...new Set(events.flatMap(({ sports, subjectId }) => (sports.length === 0 && subjectId !== null ? subjectId : []))),
  ];
  const found = new Map<string, string>();
  for (let from = 0; from < ids.length; from += nodesMax) {
    const { matches, seasons } = await graph(subjectSports, { ids: ids.slice(from, from + nodesMax) });
    for (const { id, sport } of [...(matches?.nodes ?? []), ...(seasons?.nodes ?? [])]) found.set(id, sport);
  }
  return found;
}

/** Gives the events the next sequences. The lock lasts until the commit, so sequences become visible in their order. */
async function insert(transaction: Queryable, area: Area, events: readonly RelayedEvent[], sports: ReadonlyMap<string, string>) {
  const rows = events.map(({ data: _, ...event }, index) => {
    const inherited = event.subjectId === null ? undefined : sports.get(event.subjectId);
    return {
      ...event,
      number: index + 1,
      sports: event.sports.length > 0 || inherited === undefined ? event.sports : [inherited],
    };
  });
  await transaction.query(sql`/* events.lockFeed */ select pg_advisory_xact_lock(hashtextextended('accounts.event', 0))`);
  await transaction.query(sql`/* events.insert */
    insert into event (sequence, id, type, area, resource_type, resource_id, version, at, account_id, audience, subject_id, sports, competition_id,
      organization_id, was_public)
    select number + (select coalesce(max(sequence), 0) from event), id, type, ${area}, "resourceType", "resourceId", version, at, "accountId", audience,
      "subjectId", sports, "competitionId", "organizationId", "wasPublic"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e(number bigint, id uuid, type text, "resourceType" text, "resourceId" uuid, version int,
      at timestamptz, "accountId" uuid, audience uuid[], "subjectId" uuid, sports text[], "competitionId" uuid, "organizationId" uuid, "wasPublic" boolean)
    order by number on conflict (id) do nothing`);
  // at the commit; only feed transactions wait for each other, as they do for the lock
  await transaction.query(sql`/* events.notify */ select pg_notify(${feedChannel}, '')`);
}

/** One consumer per area. After a restored area applies its events again, known events keep their place. */
export const feedConsumers = (database: Database): readonly Consumer[] =>
  areas.map((area) => ({
    name: `feed-${area}`,
    source: area,
    database,
    async apply(events, transaction, graph) {
      // before the lock: other areas do not wait for this read
      const sports = await readSports(events, graph);
      await insert(transaction, area, events, sports);
    },
  }));

/** What organizations keep of the athletes area: whose profile everybody may see, for the memberships. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { idsOf, type Consumer } from '../../../platform/events/relay.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { applyRemovedAthletes } from './removed-athletes.ts';
import { enterPublic, leavePublic } from '../organizations/publication.ts';

// `public` is the whole truth for any later day: who is a minor is never public, an adult stays one, and turning 18 publishes nobody.
const athletesById = /* GraphQL */ `
  query shownMembers($ids: [ID!]!) {
    athletesById(ids: $ids) {
      id
      public
    }
  }
`;

/**
 * Holds the organizations of athletes' memberships as they are until the commit: who suspends or reinstates one waits, or is waited for,
 * and neither misses what the other shows or hides. Before any membership, as whoever writes both takes the organization first.
 */
async function holdOrganizationsOf(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  await transaction.query(sql`/* organizations.holdOfAthletes */ select from organization
    where id in (select organization_id from membership where athlete_id = any(${[...athleteIds]}::uuid[])) order by id for key share`);
}

async function hide(transaction: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await holdOrganizationsOf(transaction, ids);
  await leavePublic(transaction, 'membership', sql`membership.athlete_id = any(${[...ids]}::uuid[])`);
  await transaction.query(
    sql`/* organizations.hideAthletes */ delete from public_athlete where athlete_id = any(${[...ids]}::uuid[])`,
  );
}

async function show(transaction: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const shown = await transaction.query<{ id: string }>(sql`/* organizations.showAthletes */
    insert into public_athlete (athlete_id) select unnest(${[...ids]}::uuid[]) on conflict do nothing returning athlete_id as id`);
  if (shown.length === 0) return;
  const shownIds = shown.map(({ id }) => id);
  await holdOrganizationsOf(transaction, shownIds);
  await enterPublic(transaction, 'membership', sql`membership.athlete_id = any(${shownIds}::uuid[])`);
}

/** The projections of this area. Facts are read as they are now, so events that come twice or late change nothing. */
export function organizationConsumers({ database, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction, graph) {
        const ids = idsOf(events, 'athlete');
        if (ids.length === 0) return;
        const data = await graph(athletesById, { ids });
        const athletes = data['athletesById'] as readonly { id: string; public: boolean }[];
        const shown = athletes.filter((athlete) => athlete.public).map((athlete) => athlete.id);
        await hide(
          transaction,
          ids.filter((id) => !shown.includes(id)),
        );
        await show(transaction, shown);
        await applyRemovedAthletes(transaction, writer, graph, ids);
      },
    },
  ];
}

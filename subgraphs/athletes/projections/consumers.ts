/** What the athletes area keeps of others: of organizations memberships, whose they are, verified or not, hidden or not; of competitions what athletes did; and of itself what many reads ask for. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { idsOf, type Consumer, type RelayedEvent } from '../../../platform/events/relay.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { latestToday } from '../../runtime/age.ts';
import { athleteIdsOf } from '../../clients/athlete-facts.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { lockVerification, revokeAdultConfirmations } from '../athletes/adulthood.ts';
import { erasureConsumer } from '../athletes/erasure.ts';
import { reapplyConsents } from '../consents/effective-scopes.ts';
import { createCohortRenewal } from '../percentiles/cohorts.ts';
import { updateMatchStatistics } from '../statistics/computed-statistics.ts';
import { aggregateFacetChanges } from '../discovery/facets.ts';
import { deleteOldRises, updateRises } from '../discovery/rising-athletes.ts';

const membershipsById = /* GraphQL */ `
  query projectedMemberships($ids: [ID!]!) {
    membershipsById(ids: $ids) {
      id
      version
      status
      type
      athleteId
      startDate
      endDate
      organization {
        id
      }
      team {
        id
      }
    }
  }
`;

const organizationOwners = /* GraphQL */ `
  query projectedOrganizations($ids: [ID!]!) {
    organizationOwners(ids: $ids) {
      id
      accountId
      status
      verified
      safeguarded
    }
  }
`;

async function projectMemberships(transaction: Queryable, ids: readonly string[], rows: unknown): Promise<void> {
  await transaction.query(sql`/* athletes.removeMemberships */ delete from membership where id = any(${[...ids]}::uuid[])
    and not exists (select from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id uuid) where m.id = membership.id)`);
  await transaction.query(sql`/* athletes.projectMemberships */
    insert into membership (id, version, athlete_id, organization_id, team_id, status, type, start_date, end_date)
    select id, version, "athleteId", (organization ->> 'id')::uuid, (team ->> 'id')::uuid, status, type, "startDate", "endDate"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as m(id uuid, version int, status text, type text, "athleteId" uuid, "startDate" date, "endDate" date, organization jsonb, team jsonb)
    where "athleteId" is not null
    on conflict (id) do update set version = excluded.version, athlete_id = excluded.athlete_id, organization_id = excluded.organization_id, team_id = excluded.team_id, status = excluded.status,
      type = excluded.type, start_date = excluded.start_date, end_date = excluded.end_date
    where membership.version < excluded.version`);
}

interface Holder {
  readonly accountId: string;
  readonly verified: boolean;
}

/** Returns who holds what has been verified since or is verified no more: nothing else that is written of an organization counts for its account. */
async function projectOrganizations(transaction: Queryable, rows: unknown): Promise<Holder[]> {
  return transaction.query<Holder>(sql`/* athletes.projectOrganizations */
    with before as (select organization_id, verified from organization_account
      where organization_id in (select id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid))),
    after as (
      insert into organization_account (organization_id, account_id, verified, safeguarded, public)
      select id, "accountId", verified, safeguarded, status in ('ACTIVE', 'CLOSED')
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as o(id uuid, "accountId" uuid, status text, verified boolean, safeguarded boolean)
      on conflict (organization_id) do update set account_id = excluded.account_id, verified = excluded.verified,
        safeguarded = excluded.safeguarded, public = excluded.public
      returning organization_id, account_id, verified)
    select after.account_id as "accountId", after.verified from after left join before using (organization_id)
    where after.verified <> coalesce(before.verified, false)`);
}

const accountsOf = (holders: readonly Pick<Holder, 'accountId'>[]): string[] => [
  ...new Set(holders.map(({ accountId }) => accountId)),
];

const matchIdsOf = /* GraphQL */ `
  query matchesToCount($seasonIds: [ID!]!, $contestIds: [ID!]!, $participantIds: [ID!]!, $after: ID) {
    matchIdsOf(seasonIds: $seasonIds, contestIds: $contestIds, participantIds: $participantIds, after: $after)
  }
`;

/** All matches of what changed for each of them: a season that is published, the event of a contest, who a participant is. */
async function matchesOf(events: readonly RelayedEvent[], graph: Graph): Promise<string[]> {
  const seasonIds = idsOf(
    events.filter(({ type }) => type === 'season.status_changed'),
    'season',
  );
  const contestIds = idsOf(
    events.filter(({ type }) => type === 'contest.updated'),
    'contest',
  );
  const participantIds = idsOf(
    events.filter(({ type }) => type === 'participant.updated'),
    'participant',
  );
  if (seasonIds.length + contestIds.length + participantIds.length === 0) return [];
  const all: string[] = [];
  for (let after: string | undefined | null = null; after !== undefined;) {
    const data = await graph(matchIdsOf, { seasonIds, contestIds, participantIds, after });
    const ids = data['matchIdsOf'] as string[];
    all.push(...ids);
    after = ids.at(-1);
  }
  return all;
}

const tellsOfMatch = ['match_action', 'result'];

/** The matches that events are about, each once. */
async function matchesToCount(events: readonly RelayedEvent[], graph: Graph): Promise<string[]> {
  const told = events.flatMap(({ resourceType, data: { matchId } }) =>
    tellsOfMatch.includes(resourceType) && typeof matchId === 'string' ? [matchId] : [],
  );
  return [...new Set([...idsOf(events, 'match'), ...told, ...(await matchesOf(events, graph))])];
}

/** The projections of this area. */
export function athleteConsumers({ database, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'organizations',
      source: 'organizations',
      database,
      async apply(events, transaction, graph) {
        const memberships = idsOf(events, 'membership');
        const organizations = idsOf(events, 'organization');
        const [members, owners] = await Promise.all([
          memberships.length > 0 ? graph(membershipsById, { ids: memberships }) : null,
          organizations.length > 0 ? graph(organizationOwners, { ids: organizations }) : null,
        ]);
        if (members) await projectMemberships(transaction, memberships, members['membershipsById']);
        if (!owners) return;
        await lockVerification(transaction, accountsOf(owners['organizationOwners'] as readonly Holder[]));
        const holders = await projectOrganizations(transaction, owners['organizationOwners']);
        const unverified = holders.filter(({ verified }) => !verified);
        await revokeAdultConfirmations(transaction, writer, accountsOf(unverified));
        await reapplyConsents(transaction, writer, accountsOf(holders));
      },
    },
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction) {
        await updateRises(transaction, athleteIdsOf(events));
        while (await aggregateFacetChanges(transaction));
      },
      async refresh() {
        await deleteOldRises(database, latestToday());
        return aggregateFacetChanges(database);
      },
    },
    {
      name: 'competitions',
      source: 'competitions',
      database,
      async apply(events, transaction, graph) {
        await updateMatchStatistics(transaction, writer, graph, await matchesToCount(events, graph));
      },
      refresh: createCohortRenewal(database),
    },
    erasureConsumer(database, writer),
  ];
}

/** What can explain a change of the analytics: deployments of the platform, and changes of the plan or the contract of an account. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { AnalyticsMarker } from '../generated/resolvers.ts';

/** Whose limits, and the range. */
export interface MarkedRange {
  readonly since: string;
  readonly until: string;
  /** The account as an expression; null: only deployments. */
  readonly account: Sql | null;
  /** Public ID of a key; null: all keys of the account. */
  readonly key: string | null;
}

const markersMax = 100;

/** The plans that lineages of the account got after another one. */
function planChanges(account: Sql, key: string | null): Sql {
  const ofKey =
    key === null ? sql`` : sql` and held.quota_subject_id = (select quota_subject_id from api_key where public_id = ${key})`;
  return sql`select held.since as at, 'PLAN' as kind, held.plan_code as name from plan_held held
    where held.account_id = ${account}${ofKey} and exists (
      select from plan_held earlier where earlier.quota_subject_id = held.quota_subject_id and earlier.since < held.since
        and earlier.until >= held.since)`;
}

/** Contracts that were set, changed or ended. */
const contractChanges = (account: Sql): Sql => sql`select history.at, 'CONTRACT' as kind, contract.plan_code as name
  from contract join history on history.resource_type = 'contract' and history.resource_id = contract.id
  where contract.account_id = ${account}`;

/** The markers of a range, oldest first. */
export function readMarkers(database: Queryable, { since, until, account, key }: MarkedRange): Promise<AnalyticsMarker[]> {
  const ofLimits = account === null ? sql`` : sql` union ${planChanges(account, key)} union ${contractChanges(account)}`;
  return database.query<AnalyticsMarker>(sql`/* requests.markers */
    select * from (select started_at as at, 'DEPLOYMENT' as kind, version as name from deployment${ofLimits}) marker
    where at >= ${since}::timestamptz and at < ${until}::timestamptz order by at, kind, name limit ${markersMax}`);
}

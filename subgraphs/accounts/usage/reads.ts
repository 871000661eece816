/** What a key has used, read from the quota counters without charging. */
import { Problem } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, CountedUse } from '../../runtime/subgraph.ts';
import type { UsageWindow } from '../resolvers.generated.ts';

/** What a key has used, and whose key it is. */
export interface UsageRow {
  readonly quotaSubjectId: string;
  readonly accountId: string;
  readonly day: UsageWindow;
  readonly month: UsageWindow;
}

interface Counted extends Pick<UsageRow, 'quotaSubjectId' | 'accountId'>, CountedUse {
  readonly perDay: number;
  readonly perMonth: number;
}

function windowOf(startsOn: string, ends: number, used: number, limit: number): UsageWindow {
  return { startsOn, used, limit, remaining: Math.max(0, limit - used), resetAt: new Date(ends).toISOString() };
}

/** Where the counters can be read. */
type Counters = Pick<AreaServices, 'database' | 'counters'>;

/** Where the counters are not in the database: as they are there or, while they are away, as the routers told of them seconds ago. */
async function readElsewhere({ database, counters }: Counters, quotaSubjectId: string): Promise<CountedUse | null> {
  if (counters === undefined) return null;
  const live = await counters(quotaSubjectId.replaceAll('-', '')).catch(() => null);
  if (live !== null) return live;
  const [told] = await database.query<CountedUse>(sql`/* usage.told */
    select day, day_used as "dayUsed", month, month_used as "monthUsed" from quota_hydrate(array[uuid_send(${quotaSubjectId}::uuid)])`);
  return told ?? null;
}

/** What was counted of a lineage, as the windows of its limits. */
function usageOf(
  { quotaSubjectId, accountId, perDay, perMonth }: Counted,
  { day, dayUsed, month, monthUsed }: CountedUse,
): UsageRow {
  const [year = 0, monthNumber = 0, dayNumber = 0] = day.split('-').map(Number);
  const [monthYear = 0, ofYear = 0] = month.split('-').map(Number);
  return {
    quotaSubjectId,
    accountId,
    day: windowOf(day, Date.UTC(year, monthNumber - 1, dayNumber + 1), dayUsed, perDay),
    month: windowOf(month, Date.UTC(monthYear, ofYear, 1), monthUsed, perMonth),
  };
}

/** The windows of keys, by their public ids, that are open now by the clock of the counters; null for a key that does not exist. */
export async function readUsages(services: Counters, publicIds: readonly string[]): Promise<(UsageRow | null)[]> {
  // the subject of a lineage is the 16 bytes of its id (router/admission/quota/subject.ts)
  const rows = await services.database.query<Counted & { readonly publicId: string }>(sql`/* usage.read */
    select k.public_id as "publicId", k.quota_subject_id as "quotaSubjectId", k.account_id as "accountId", q.day,
      q.day_used as "dayUsed", q.month, q.month_used as "monthUsed", k.per_day as "perDay", k.per_month as "perMonth"
    from router_key k, quota_read(uuid_send(k.quota_subject_id)) q
    where k.public_id = any(${[...publicIds]})`);
  const read = await Promise.all(
    rows.map(async (row) => {
      const counted = (await readElsewhere(services, row.quotaSubjectId)) ?? row;
      return [row.publicId, usageOf(row, counted)] as const;
    }),
  );
  const byKey = new Map(read);
  return publicIds.map((id) => byKey.get(id) ?? null);
}

/** The windows of one key. Throws Problem not_found (404) for a key that does not exist. */
export async function readUsage(services: Counters, publicId: string): Promise<UsageRow> {
  const [usage] = await readUsages(services, [publicId]);
  if (!usage) throw new Problem('not_found', 'There is no such key.');
  return usage;
}

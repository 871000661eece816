/** The current usage of keys, read from the quota counters without charging. */
import { Problem } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices, CountedUse } from '../../runtime/subgraph.ts';
import type { UsageWindow } from '../generated/resolvers.ts';

/** The usage of a key, with its owner. */
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

/** Access to the counters. */
type Counters = Pick<AreaServices, 'database' | 'counters'>;

/** Reads counters outside the database. If they are unavailable, returns the values that routers reported seconds ago. */
async function readExternalCounters({ database, counters }: Counters, quotaSubjectId: string): Promise<CountedUse | null> {
  if (counters === undefined) return null;
  const live = await counters(quotaSubjectId.replaceAll('-', '')).catch(() => null);
  if (live !== null) return live;
  const [reported] = await database.query<CountedUse>(sql`/* usage.reported */
    select day, day_used as "dayUsed", month, month_used as "monthUsed" from quota_hydrate(array[uuid_send(${quotaSubjectId}::uuid)])`);
  return reported ?? null;
}

/** The usage of a lineage with its limits. */
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

/** The current windows of keys by public ID, by the clock of the counters; null for a key that does not exist. */
export async function readUsages(services: Counters, publicIds: readonly string[]): Promise<(UsageRow | null)[]> {
  // the subject of a lineage is the 16 bytes of its ID (router/admission/quota/subject.ts)
  const rows = await services.database.query<Counted & { readonly publicId: string }>(sql`/* usage.read */
    select k.public_id as "publicId", k.quota_subject_id as "quotaSubjectId", k.account_id as "accountId", q.day,
      q.day_used as "dayUsed", q.month, q.month_used as "monthUsed", k.per_day as "perDay", k.per_month as "perMonth"
    from router_key k, quota_read(uuid_send(k.quota_subject_id)) q
    where k.public_id = any(${[...publicIds]})`);
  const read = await Promise.all(
    rows.map(async (row) => {
      const counted = (await readExternalCounters(services, row.quotaSubjectId)) ?? row;
      return [row.publicId, usageOf(row, counted)] as const;
    }),
  );
  const byKey = new Map(read);
  return publicIds.map((id) => byKey.get(id) ?? null);
}

/** The current windows of one key. Throws Problem not_found (404) for a key that does not exist. */
export async function readUsage(services: Counters, publicId: string): Promise<UsageRow> {
  const [usage] = await readUsages(services, [publicId]);
  if (!usage) throw new Problem('not_found', 'There is no API key with this public ID.');
  return usage;
}

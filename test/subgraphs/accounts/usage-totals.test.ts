/** The total usage of the platform equals the sum of all usage, with concurrent reports. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../platform/database/database.ts';
import { openUsageFixture, type UsageFixture } from './usage-fixture.ts';

let fixture: UsageFixture;
beforeAll(async () => {
  fixture = await openUsageFixture();
});
afterAll(() => fixture.close());

const moments = [
  '2026-09-30T23:59:59Z',
  '2026-10-01T00:00:00Z',
  '2026-10-31T23:59:00Z',
  '2026-11-01T00:00:00Z',
  '2026-11-10T12:01:00Z',
];

test('concurrent and repeated batches around midnight, during the closing of a month, add up without a deadlock', async () => {
  const holders = await Promise.all(['A', 'B', 'C'].map((name) => fixture.createHolder(name, 'pro', '2026-09-01T00:00:00Z')));
  const reportedIn = (turn: number) =>
    moments.flatMap((at, moment) => [
      ...holders.map((holder, index) => ({ at, ...holder, requests: 1 + ((turn + moment + index) % 3) })),
      { at, requests: 1 + (turn % 2) },
    ]);
  const flush = async (turn: number): Promise<void> => {
    const options = { router: fixture.router(turn), id: randomUUID() };
    // the routers send the rows in different orders
    const rows = turn % 2 === 0 ? reportedIn(turn) : reportedIn(turn).toReversed();
    await fixture.flush(rows, options);
    if (turn % 3 === 0) await fixture.flush(rows, options);
  };
  const turns = Array.from({ length: 24 }, (_, turn) => turn);
  await Promise.all([...turns.map(flush), fixture.closeAll('2026-10-05T00:00:00Z')]);
  const [total] = await fixture.owner.query<{ requests: number }>(sql`/* test.total */
    select sum(requests)::bigint as requests from (
      select requests from accounts.usage where granularity = 'MINUTE' union all select requests from accounts.usage_late) u`);
  expect(total?.requests).toBe(turns.flatMap(reportedIn).reduce((sum, { requests }) => sum + requests, 0));
  const differing = await fixture.owner.query(sql`/* test.differing */
    select * from (
      select granularity, starts_at, area, status_class, sum(requests) as requests, sum(units) as units from accounts.usage group by 1, 2, 3, 4
    ) each full join accounts.usage_total total using (granularity, starts_at, area, status_class)
    where (each.requests, each.units) is distinct from (total.requests, total.units)`);
  expect(differing).toEqual([]);
});

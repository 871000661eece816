/** What everybody asked together is the sum of what each asked, whatever routers tell at the same time. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../platform/database/database.ts';
import { openMetered, type Metered } from './metered.ts';

let metered: Metered;
beforeAll(async () => {
  metered = await openMetered();
});
afterAll(() => metered.close());

const moments = [
  '2026-09-30T23:59:59Z',
  '2026-10-01T00:00:00Z',
  '2026-10-31T23:59:00Z',
  '2026-11-01T00:00:00Z',
  '2026-11-10T12:01:00Z',
];

test('batches at once, some told twice, around midnights and of a month that closes meanwhile, add up without a deadlock', async () => {
  const holders = await Promise.all(['A', 'B', 'C'].map((name) => metered.holder(name, 'pro', '2026-09-01T00:00:00Z')));
  const told = (turn: number) =>
    moments.flatMap((at, moment) => [
      ...holders.map((holder, index) => ({ at, ...holder, requests: 1 + ((turn + moment + index) % 3) })),
      { at, requests: 1 + (turn % 2) },
    ]);
  const flush = async (turn: number): Promise<void> => {
    const options = { router: metered.router(turn), id: randomUUID() };
    // each router has them in an order of its own
    const rows = turn % 2 === 0 ? told(turn) : told(turn).toReversed();
    await metered.flush(rows, options);
    if (turn % 3 === 0) await metered.flush(rows, options);
  };
  const turns = Array.from({ length: 24 }, (_, turn) => turn);
  await Promise.all([...turns.map(flush), metered.closeAll('2026-10-05T00:00:00Z')]);
  const [asked] = await metered.owner.query<{ requests: number }>(sql`/* test.asked */
    select sum(requests)::bigint as requests from (
      select requests from accounts.usage where granularity = 'MINUTE' union all select requests from accounts.usage_late) u`);
  expect(asked?.requests).toBe(turns.flatMap(told).reduce((sum, { requests }) => sum + requests, 0));
  const differing = await metered.owner.query(sql`/* test.differing */
    select * from (
      select granularity, starts_at, area, status_class, sum(requests) as requests, sum(units) as units from accounts.usage group by 1, 2, 3, 4
    ) each full join accounts.usage_total total using (granularity, starts_at, area, status_class)
    where (each.requests, each.units) is distinct from (total.requests, total.units)`);
  expect(differing).toEqual([]);
});

/** Usage as routers tell it: batches that count once, and thresholds that are told once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql, type Database } from '../../platform/database.ts';
import { openMetered, type Metered } from './metered.ts';

let metered: Metered;
beforeAll(async () => {
  metered = await openMetered();
});
afterAll(() => metered.close());

describe('a batch', () => {
  test('counts once, however often and by however many it is sent', async () => {
    const { account, lineage, key } = await metered.holder('Batch', 'pro', '2026-11-01T00:00:00Z');
    const id = randomUUID();
    const told = [{ at: new Date().toISOString(), account, lineage, key, requests: 7 }];
    await Promise.all([0, 1, 0, 1, 0].map((which) => metered.flush(told, { router: metered.router(which), id })));
    expect(await metered.monthly(lineage)).toMatchObject([{ requests: 7 }]);
  });

  test('many routers at once, each with many rows, add up and never lock one another out', async () => {
    const { account, lineage, key } = await metered.holder('Crowd', 'pro', '2026-11-01T00:00:00Z');
    const now = Date.now();
    const told = Array.from({ length: 50 }, (_, index) => ({
      at: new Date(now - index * 60_000).toISOString(),
      account,
      lineage,
      key,
    }));
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        metered.flush(index % 2 === 0 ? told : told.toReversed(), { router: metered.router(index) }),
      ),
    );
    const rows = await metered.monthly(lineage);
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(600);
  });
});

describe('thresholds', () => {
  test('are told once each, though several routers see them reached, and again in the next window', async () => {
    const { lineage, key } = await metered.holder('Watched', 'pro', '2026-11-01T00:00:00Z');
    const tell = (router: Database, day: string, dayUnits: number, dayCounted: number) =>
      metered.flush([], {
        router,
        subjects: JSON.stringify([
          {
            subject: lineage.replaceAll('-', ''),
            key,
            day,
            dayUnits,
            dayCounted,
            month: '2026-11-01',
            monthUnits: dayUnits,
            monthCounted: dayCounted,
            perDay: 100,
            perMonth: 1000,
          },
        ]),
      });
    const told = async () =>
      (
        await metered.owner.query<{ data: Record<string, unknown> }>(sql`/* test.events */
          select o.data from accounts.outbox o join accounts.api_key k on k.id = o.resource_id
          where o.type = 'quota.threshold_reached' and k.public_id = ${key} order by o.id`)
      ).map(
        ({ data }) =>
          `${String(data['window'])} ${String(data['startsOn'])} ${String(data['percent'])} ${String(data['used'])}/${String(data['limit'])}`,
      );
    await tell(metered.router(0), '2026-11-21', 49, 49);
    expect(await told()).toEqual([]);
    // what was counted decides too, before everything was told
    await Promise.all(Array.from({ length: 8 }, (_, index) => tell(metered.router(index), '2026-11-21', 0, 50)));
    expect(await told()).toEqual(['DAY 2026-11-21 50 50/100']);
    expect(await tell(metered.router(1), '2026-11-21', 51, 50)).toEqual([
      { subject: lineage.replaceAll('-', ''), dayUnits: 100 },
    ]);
    expect(await told()).toEqual(['DAY 2026-11-21 50 50/100', 'DAY 2026-11-21 80 100/100', 'DAY 2026-11-21 100 100/100']);
    await tell(metered.router(0), '2026-11-22', 50, 50);
    expect((await told()).slice(3)).toEqual(['DAY 2026-11-22 50 50/100']);
    // a late word of yesterday changes nothing
    await tell(metered.router(0), '2026-11-21', 50, 150);
    await tell(metered.router(0), '2026-11-22', 0, 500);
    expect((await told()).slice(4)).toEqual([
      'MONTH 2026-11-01 50 500/1000',
      'DAY 2026-11-22 80 500/100',
      'DAY 2026-11-22 100 500/100',
    ]);
  });
});

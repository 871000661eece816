/** Closing of months, statements, quota thresholds and quota differences. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCursorCodec } from '../../../platform/lists/cursor.ts';
import { sql, type Database } from '../../../platform/database/database.ts';
import { readDifferences } from '../../../subgraphs/accounts/usage/quota-differences.ts';
import { openUsageFixture, type UsageFixture } from './usage-fixture.ts';

let fixture: UsageFixture;
beforeAll(async () => {
  fixture = await openUsageFixture();
});
afterAll(() => fixture.close());

describe('months', () => {
  test('of 28, 29, 30 and 31 days are closed once, in order, two hours after their last minute', async () => {
    const { account, lineage, key } = await fixture.createHolder('Edges', 'pro', '2023-02-10T00:00:00Z');
    const edges = [
      ['2023-02-28', '2023-03-01'],
      ['2024-02-29', '2024-03-01'],
      ['2024-12-31', '2025-01-01'],
      ['2025-04-30', '2025-05-01'],
    ] as const;
    for (const [last, first] of edges) {
      const of = { account, lineage, key };
      await fixture.flush([
        { at: `${last}T23:59:59.999Z`, ...of, requests: 3 },
        { at: `${first}T00:00:00.000Z`, ...of, requests: 2 },
      ]);
      const month = `${last.slice(0, 7)}-01`;
      await fixture.closeAll(`${first}T01:59:59.999Z`);
      expect(await fixture.isClosed(month)).toBe(false);
      await Promise.all([fixture.closeAll(`${first}T02:00:00.000Z`), fixture.closeAll(`${first}T02:00:00.000Z`)]);
      expect({ month, closed: await fixture.isClosed(month) }).toEqual({ month, closed: true });
      expect(await fixture.linesOf(account, month)).toEqual([{ name: 'Edges', plan: 'pro', amount: 14_900, requests: 3 }]);
    }
    const [count] = await fixture.owner.query<{ count: number }>(
      sql`/* test.statements */ select count(*) as count from accounts.statement where account_id = ${account}`,
    );
    // February 2023 to April 2025, each once
    expect(count?.count).toBe(27);
  });

  test('that are closed are immutable even for the area; late usage is stored and listed on the next statement', async () => {
    const { account, lineage, key } = await fixture.createHolder('Late', 'pro', '2025-06-01T00:00:00Z');
    const of = { account, lineage, key };
    await fixture.flush([{ at: '2025-06-30T23:59:00Z', ...of, requests: 5 }]);
    await fixture.closeAll('2025-07-01T02:00:00Z');
    await fixture.flush([
      { at: '2025-06-30T23:59:59Z', ...of, requests: 4 },
      // test keys are in no statement
      { at: '2025-06-30T23:59:59Z', account, lineage: randomUUID(), key: 'sp_test_000000000000', requests: 7 },
      { at: '2025-07-01T00:00:00Z', ...of, requests: 1 },
    ]);
    expect(await fixture.monthly(lineage)).toMatchObject([{ requests: 5 }, { requests: 1 }]);
    const june = sql`month = '2025-06-01'`;
    const immutable = [
      sql`/* test.update */ update usage set requests = 0 where starts_at < '2025-07-01'`,
      sql`/* test.delete */ delete from usage where granularity = 'MONTH' and starts_at < '2025-07-01'`,
      sql`/* test.insert */ insert into usage (granularity, starts_at, status_class, requests, units) values ('DAY', '2025-06-03', 2, 1, 1)`,
      sql`/* test.away */ update usage set starts_at = '2025-06-03' where starts_at = '2025-07-01' and granularity = 'DAY'`,
      sql`/* test.statement */ update statement set units = 0 where ${june}`,
      sql`/* test.statementGone */ delete from statement where ${june}`,
      sql`/* test.line */ update statement_line set amount_minor = 0`,
      sql`/* test.lineGone */ delete from statement_line`,
      sql`/* test.lineMore */ insert into statement_line select id, gen_random_uuid(), 'x', 'x', 'pro', 1, 0, 'EUR', 0, 0 from statement where ${june}`,
      sql`/* test.statementMore */ insert into statement (account_id, month, requests, units, late_requests, late_units)
        select id, '2025-06-01', 0, 0, 0, 0 from account order by id desc limit 1`,
      sql`/* test.open */ delete from closed_month where ${june}`,
    ];
    for (const statement of immutable) {
      await expect(fixture.area.query(statement)).rejects.toMatchObject({ code: '23001' });
    }
    await fixture.closeAll('2025-08-01T02:00:00Z');
    const [statement] = await fixture.owner.query(sql`/* test.late */
      select requests, units, late_requests as "lateRequests", late_units as "lateUnits" from accounts.statement
      where account_id = ${account} and month = '2025-07-01'`);
    expect(statement).toEqual({ requests: 1, units: 1, lateRequests: 4, lateUnits: 4 });
    await fixture.closeAll('2025-09-01T02:00:00Z');
    const [august] = await fixture.owner.query(sql`/* test.august */
      select late_requests as "lateRequests" from accounts.statement where account_id = ${account} and month = '2025-08-01'`);
    expect(august).toEqual({ lateRequests: 0 });
  });
});

describe('a statement', () => {
  /** Changes the plan of a lineage at a given time. */
  const move = async (lineage: string, plan: string, at: string): Promise<void> => {
    await fixture.owner.query(
      sql`/* test.until */ update accounts.plan_held set until = ${at} where quota_subject_id = ${lineage} and until is null`,
    );
    await fixture.owner.query(sql`/* test.move */
      insert into accounts.plan_held (quota_subject_id, account_id, plan_code, plan_version, since)
      select quota_subject_id, account_id, ${plan}, 1, ${at} from accounts.plan_held where quota_subject_id = ${lineage} limit 1`);
  };

  test('bills each lineage once at its highest plan or its contract; the free plan costs nothing', async () => {
    const upgraded = await fixture.createHolder('Upgraded', 'starter', '2025-10-01T00:00:00Z');
    await move(upgraded.lineage, 'pro', '2025-10-20T12:00:00Z');
    await move(upgraded.lineage, 'starter', '2025-10-31T23:59:59.999Z');
    const downgraded = await fixture.createHolder('Downgraded', 'pro', '2025-09-01T00:00:00Z');
    await move(downgraded.lineage, 'starter', '2025-10-01T00:00:00Z');
    const free = await fixture.createHolder('Nothing', 'free', '2025-10-05T00:00:00Z');
    const contracted = await fixture.createHolder('Contracted', 'enterprise', '2025-10-05T00:00:00Z');
    await fixture.owner.query(sql`/* test.contract */
      insert into accounts.contract (account_id, plan_code, price_amount_minor, currency, created_at)
      values (${contracted.account}, 'enterprise', 99000, 'USD', '2025-10-06')`);
    const removed = await fixture.createHolder('Gone', 'pro', '2025-10-01T00:00:00Z');
    await fixture.owner.query(
      sql`/* test.gone */ update accounts.plan_held set until = '2025-10-02' where quota_subject_id = ${removed.lineage}`,
    );
    const mistaken = await fixture.createHolder('Mistaken', 'pro', '2025-10-03T00:00:00Z');
    await fixture.owner.query(
      sql`/* test.mistaken */ update accounts.plan_held set until = since where quota_subject_id = ${mistaken.lineage}`,
    );
    // the successor of a rotation: another key of the same lineage
    await fixture.owner.query(sql`/* test.rotated */
      insert into accounts.api_key (public_id, name, account_id, plan_code, plan_version, hash, pepper_version, created_by, quota_subject_id, created_at)
      select 'sp_live_Successor000', 'Successor', account_id, plan_code, 1, hash, 1, 'test', quota_subject_id, now() + interval '1 second'
      from accounts.api_key where quota_subject_id = ${upgraded.lineage}`);
    await fixture.flush([
      { at: '2025-10-10T10:00:00Z', account: upgraded.account, lineage: upgraded.lineage, key: upgraded.key, requests: 10 },
      {
        at: '2025-10-11T10:00:00Z',
        account: upgraded.account,
        lineage: upgraded.lineage,
        key: 'sp_live_Successor000',
        requests: 5,
      },
    ]);
    await fixture.closeAll('2025-11-01T02:00:00Z');
    const october = (account: string) => fixture.linesOf(account, '2025-10-01');
    expect(await october(upgraded.account)).toEqual([{ name: 'Successor', plan: 'pro', amount: 14_900, requests: 15 }]);
    expect(await october(downgraded.account)).toEqual([{ name: 'Downgraded', plan: 'starter', amount: 2900, requests: 0 }]);
    expect(await october(free.account)).toEqual([{ name: 'Nothing', plan: 'free', amount: 0, requests: 0 }]);
    expect(await october(contracted.account)).toEqual([{ name: 'Contracted', plan: 'enterprise', amount: 99_000, requests: 0 }]);
    expect(await october(removed.account)).toEqual([{ name: 'Gone', plan: 'pro', amount: 14_900, requests: 0 }]);
    expect(await october(mistaken.account)).toEqual([]);
    expect(await fixture.linesOf(removed.account, '2025-11-01')).toEqual([]);
  });
});

describe('thresholds', () => {
  test('are reported once per window, even if several routers reach them', async () => {
    const { lineage, key } = await fixture.createHolder('Watched', 'pro', '2026-11-01T00:00:00Z');
    const report = (router: Database, day: string, dayUnits: number, dayCounted: number) =>
      fixture.flush([], {
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
    const reported = async () =>
      (
        await fixture.owner.query<{ data: Record<string, unknown> }>(sql`/* test.events */
          select o.data from accounts.outbox o join accounts.api_key k on k.id = o.resource_id
          where o.type = 'quota.threshold_reached' and k.public_id = ${key} order by o.id`)
      ).map(
        ({ data }) =>
          `${String(data['window'])} ${String(data['startsOn'])} ${String(data['percent'])} ${String(data['used'])}/${String(data['limit'])}`,
      );
    await report(fixture.router(0), '2026-11-21', 49, 49);
    expect(await reported()).toEqual([]);
    // the counter also triggers the threshold before all usage is reported
    await Promise.all(Array.from({ length: 8 }, (_, index) => report(fixture.router(index), '2026-11-21', 0, 50)));
    expect(await reported()).toEqual(['DAY 2026-11-21 50 50/100']);
    expect(await report(fixture.router(1), '2026-11-21', 51, 50)).toEqual([
      { subject: lineage.replaceAll('-', ''), dayUnits: 100 },
    ]);
    expect(await reported()).toEqual(['DAY 2026-11-21 50 50/100', 'DAY 2026-11-21 80 100/100', 'DAY 2026-11-21 100 100/100']);
    await report(fixture.router(0), '2026-11-22', 50, 50);
    expect((await reported()).slice(3)).toEqual(['DAY 2026-11-22 50 50/100']);
    // a late report of yesterday changes nothing
    await report(fixture.router(0), '2026-11-21', 50, 150);
    await report(fixture.router(0), '2026-11-22', 0, 500);
    expect((await reported()).slice(4)).toEqual([
      'MONTH 2026-11-01 50 500/1000',
      'DAY 2026-11-22 80 500/100',
      'DAY 2026-11-22 100 500/100',
    ]);
  });
});

test('a month is closed only after its due plan changes are applied', async () => {
  const { account, key } = await fixture.createHolder('Moving', 'pro', '2025-11-15T00:00:00Z');
  await fixture.owner.query(sql`/* test.move */ update accounts.api_key set next_plan_code = 'free', next_plan_version = 1,
    next_plan_at = '2025-12-01T00:00:00Z' where public_id = ${key}`);
  await fixture.closeAll('2026-01-01T02:00:00Z');
  expect([await fixture.isClosed('2025-11-01'), await fixture.isClosed('2025-12-01')]).toEqual([true, false]);
  await fixture.owner.query(sql`/* test.moved */ update accounts.api_key set plan_code = 'free', plan_version = 1,
    next_plan_code = null, next_plan_version = null, next_plan_at = null where public_id = ${key}`);
  await fixture.closeAll('2026-01-01T02:00:00Z');
  const plans = async (month: string) => (await fixture.linesOf(account, month)).map(({ plan }) => plan);
  expect([await plans('2025-11-01'), await plans('2025-12-01')]).toEqual([['pro'], ['free']]);
});

test('lineages with different counter and rollups are listed with pagination', async () => {
  const of = [
    await fixture.createHolder('Differs', 'pro', '2026-11-01T00:00:00Z'),
    await fixture.createHolder('Too', 'pro', '2026-11-01T00:00:00Z'),
  ];
  const same = {
    day: '2099-01-01',
    dayUnits: 3,
    dayCounted: 5,
    month: '2099-01-01',
    monthUnits: 3,
    monthCounted: 5,
    perDay: 100,
    perMonth: 1000,
  };
  await fixture.flush([], {
    subjects: JSON.stringify(of.map(({ lineage, key }) => ({ ...same, key, subject: lineage.replaceAll('-', '') }))),
  });
  const services = { database: fixture.area, cursors: createCursorCodec(Buffer.alloc(32, 1)) };
  const first = await readDifferences(services, { first: 1 });
  const second = await readDifferences(services, { first: 1, after: first.pageInfo.nextCursor() });
  const listed = [...first.nodes, ...second.nodes].map(({ id, accountId, dayUnits, dayCounted }) => ({
    id,
    accountId,
    dayUnits,
    dayCounted,
  }));
  const expected = of.map(({ lineage, account }) => ({ id: lineage, accountId: account, dayUnits: 3, dayCounted: 5 }));
  expect(listed).toEqual(expected.toSorted((one, other) => (one.id < other.id ? 1 : -1)));
});

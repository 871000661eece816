/** The usage tables on a separate database, with connections of routers and the area. */
import { randomUUID } from 'node:crypto';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import { areaRole, routerRole } from '../../../platform/database/roles.ts';
import { createWriter } from '../../../platform/writes/write.ts';
import { closeMonth } from '../../../subgraphs/accounts/usage/month-closing.ts';
import { cloneDatabase } from '../../database.ts';

export interface ReportedUsage {
  readonly at: string;
  readonly lineage?: string;
  readonly account?: string;
  readonly key?: string;
  readonly requests?: number;
}

interface Line {
  readonly name: string;
  readonly plan: string;
  readonly amount: number;
  readonly requests: number;
}

const rowsOf = (reported: readonly ReportedUsage[]): string =>
  JSON.stringify(
    reported.map(({ at, requests = 1, ...of }) => {
      const minute = Math.floor(Date.parse(at) / 60_000) * 60;
      return { minute, ...of, plan: 'pro', area: 'athletes', status: 2, requests, units: requests };
    }),
  );

export async function openUsageFixture() {
  const cloned = await cloneDatabase();
  const owner = openDatabase({ url: cloned.ownerUrl, name: 'test-owner', poolSize: 2 });
  const area = openDatabase({ url: cloned.urlAs(areaRole('accounts')), name: 'test-accounts', poolSize: 2 });
  const router = (): Database => openDatabase({ url: cloned.urlAs(routerRole), name: 'test-router', poolSize: 4 });
  const routers = [router(), router()] as const;
  const writer = createWriter(area, {}, () => undefined);

  return {
    cloned,
    owner,
    area,
    /** One of two routers, alternating. */
    router: (turn: number): Database => routers[turn % 2 === 0 ? 0 : 1],
    /** Creates an account with a key that has had a plan since a given time. */
    async createHolder(name: string, plan: string, since: string): Promise<{ account: string; lineage: string; key: string }> {
      const key = `sp_live_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
      const [row] = await owner.query<{ account: string; lineage: string }>(sql`/* test.holder */
        with account as (insert into accounts.account (name) values (${name}) returning id)
        insert into accounts.api_key (public_id, name, account_id, plan_code, plan_version, hash, pepper_version, created_by)
        select ${key}, ${name}, id, ${plan}, 1, ${Buffer.alloc(32)}, 1, 'test' from account
        returning account_id as account, quota_subject_id as lineage`);
      if (!row) throw new Error('The insert returned no key');
      await owner.query(
        sql`/* test.since */ update accounts.plan_held set since = ${since} where quota_subject_id = ${row.lineage}`,
      );
      return { ...row, key };
    },
    /** Flushes usage as a router does every five seconds. */
    flush: (reported: readonly ReportedUsage[], { router: by = routers[0], id = randomUUID(), subjects = '[]' } = {}) =>
      by.query<{ subject: string; dayUnits: number }>(sql`/* test.flush */
        select encode(subject, 'hex') as subject, day_units as "dayUnits"
        from accounts.usage_flush(${id}::uuid, ${rowsOf(reported)}::jsonb, ${subjects}::jsonb, '[]')`),
    async closeAll(at: string): Promise<void> {
      while (await closeMonth({ database: area, writer, billing: null }, at));
    },
    async isClosed(month: string): Promise<boolean> {
      return (await owner.query(sql`/* test.closed */ select from accounts.closed_month where month = ${month}`)).length === 1;
    },
    linesOf: (account: string, month: string) =>
      owner.query<Line>(sql`/* test.lines */
        select l.name, l.plan_code as plan, l.amount_minor as amount, l.requests from accounts.statement s
        join accounts.statement_line l on l.statement_id = s.id where s.account_id = ${account} and s.month = ${month}
        order by l.amount_minor desc, l.name`),
    monthly: (lineage: string) =>
      owner.query<{ month: string; requests: number }>(sql`/* test.monthly */
        select starts_at as month, requests from accounts.usage where granularity = 'MONTH' and quota_subject_id = ${lineage} order by 1`),
    async close(): Promise<void> {
      await Promise.all([owner, area, ...routers].map((each) => each.close()));
      await cloned.drop();
    },
  };
}

export type UsageFixture = Awaited<ReturnType<typeof openUsageFixture>>;

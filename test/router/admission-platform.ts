/** Admissions of several routers over one database, with pricing plans and keys created by the test. */
import { expect } from '@jest/globals';
import { generateApiKey, hashApiKey } from '../../platform/security/api-key.ts';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { routerRole } from '../../platform/database/roles.ts';
import { createAdmission, type Admission, type Admitted } from '../../router/admission/admission.ts';
import type { OpenKeyChanges } from '../../router/admission/key-changes.ts';
import type { Limits, QuotaStore } from '../../router/admission/quota/store.ts';
import type { RejectedRequest } from '../../router/admission/rejection.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { cloneDatabase } from '../database.ts';
import { eventually } from '../eventually.ts';
import { createCounterStore, type Counter, type StoreKind } from './admission-stores.ts';

export interface Router {
  readonly admission: Admission;
  readonly counters: QuotaStore;
  /** Log entries of this router. */
  readonly logged: unknown[];
}

export interface KeyOptions {
  readonly plan?: string;
  readonly scopes?: readonly string[];
  readonly status?: 'ACTIVE' | 'DISABLED' | 'REVOKED';
  readonly expiresInMs?: number;
  readonly allowedCidrs?: readonly string[];
}

export interface IssuedKey {
  readonly key: string;
  readonly publicId: string;
  readonly subject: string;
}

/** @param kind the quota store. */
export async function createAdmissionPlatform(kind: StoreKind = 'PostgreSQL') {
  const cloned = await cloneDatabase();
  const owner = openDatabase({ url: cloned.ownerUrl, name: 'test-owner', poolSize: 2 });
  const routerUrl = cloned.urlAs(routerRole);
  const { secrets } = cloned;
  const pools: Database[] = [owner];
  const closing: (() => Promise<void>)[] = [];
  const known = openDatabase({ url: routerUrl, name: 'test-known', poolSize: 1 });
  pools.push(known);
  const storeLog: unknown[] = [];
  const store = await createCounterStore(kind, owner, known, routerUrl, {
    error: (...logged: unknown[]) => void storeLog.push(logged),
  });
  let plans = 0;

  return {
    owner,
    secrets,
    routerUrl,
    store,
    /** Log entries of the stores. */
    storeLog,
    /** Opens another router with separate caches and pools, as role talent_router. */
    async router(onStatement?: (text: string) => void, keyChanges: readonly OpenKeyChanges[] = []): Promise<Router> {
      const logged: unknown[] = [];
      const log = { error: (...line: unknown[]) => void logged.push(line) };
      const database = openDatabase({ url: routerUrl, name: 'test-router', poolSize: 2, ...(onStatement && { onStatement }) });
      pools.push(database);
      const { counters, close } = await store.open();
      const admission = createAdmission({ database, secrets, log, counters, keyChanges });
      closing.push(async () => {
        await admission.close();
        await close();
      });
      return { admission, counters, logged };
    },
    async plan({
      burstPerMinute = 6000,
      perDay = 1000,
      perMonth = 10_000,
      writes = true,
    }: Partial<Limits> & { writes?: boolean } = {}) {
      plans += 1;
      const code = `test-${plans}`;
      await owner.query(sql`/* test.plan */
        insert into accounts.plan (code, name, price_amount_minor, currency, burst_per_minute, per_day, per_month, writes, webhooks, streams)
        values (${code}, ${code}, 0, 'EUR', ${burstPerMinute}, ${perDay}, ${perMonth}, ${writes}, 0, 0)`);
      return code;
    },
    /** Replaces the limits of anonymous callers by a new version of the free plan. */
    async freePlan({ burstPerMinute = 6000, perDay = 1000, perMonth = 10_000 }: Partial<Limits>) {
      await owner.query(sql`/* test.retireFree */ update accounts.plan set status = 'RETIRED' where code = 'free'`);
      await owner.query(sql`/* test.freePlan */
        insert into accounts.plan (code, version, name, price_amount_minor, currency, burst_per_minute, per_day, per_month, writes, webhooks, streams)
        select 'free', max(version) + 1, 'Free', 0, 'EUR', ${burstPerMinute}::int, ${perDay}::bigint, ${perMonth}::bigint, false, 0, 1
        from accounts.plan where code = 'free'`);
    },
    async issue(options: KeyOptions = {}): Promise<IssuedKey> {
      const { key, publicId } = generateApiKey();
      const [row] = await owner.query<{ subject: string }>(sql`/* test.issue */
        with account as (insert into accounts.account (name) values ('Test FC') returning id)
        insert into accounts.api_key (public_id, name, account_id, plan_code, plan_version, scopes, allowed_cidrs, hash, pepper_version,
          status, expires_at, revoked_at, created_by)
        select ${publicId}, 'test', id, ${options.plan ?? 'enterprise'}, 1, ${options.scopes ?? []}::text[],
          ${options.allowedCidrs ?? []}::cidr[], ${hashApiKey(key, secrets.derive('api-key-pepper/1'))}, 1, ${options.status ?? 'ACTIVE'},
          now() + ${options.expiresInMs ?? null}::float8 * interval '1 millisecond',
          case when ${options.status ?? ''}::text = 'REVOKED' then now() end, 'test'
        from account returning replace(quota_subject_id::text, '-', '') as subject`);
      if (row === undefined) throw new Error('No key was issued.');
      return { key, publicId, subject: row.subject };
    },
    /** The counter of a subject (hex). */
    async counter(subject: string): Promise<Counter> {
      const { dayUsed, monthUsed, dayRefunded } = (await store.read(subject)) ?? { dayUsed: 0, monthUsed: 0, dayRefunded: 0 };
      return { dayUsed, monthUsed, dayRefunded };
    },
    /** Sets the usage of a subject for today and this month. */
    async leave(subject: string, { day, month }: { readonly day: number; readonly month: number }): Promise<void> {
      const counter = await store.read(subject);
      if (counter === null) throw new Error('There is no counter yet.');
      await store.write(subject, { ...counter, dayUsed: day, monthUsed: month });
    },
    async close() {
      await Promise.all(closing.map((close) => close()));
      await Promise.all(pools.map((pool) => pool.close()));
      await store.close();
      await cloned.drop();
    },
  };
}

export type AdmissionPlatform = Awaited<ReturnType<typeof createAdmissionPlatform>>;

/** A caller with one key, several, or none. */
export function caller(credentials: string | readonly string[] = [], address = '203.0.113.7'): Caller {
  return {
    credentials: typeof credentials === 'string' ? [credentials] : credentials,
    address,
    host: 'localhost',
    requestId: 'test',
    traceparent: null,
  };
}

export function admitted(result: Admitted | RejectedRequest): Admitted {
  if (result.kind === 'REJECTED') throw new Error(`Rejected: ${result.problem.code}`);
  return result;
}

export function rejected(result: Admitted | RejectedRequest): RejectedRequest {
  if (result.kind === 'ADMITTED') throw new Error('Admitted.');
  return result;
}

/** Counts results: rejections by error code, and admissions. */
export function countResults(results: readonly (Admitted | RejectedRequest)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const outcome = result.kind === 'ADMITTED' ? 'admitted' : result.problem.code;
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

/** Waits until a condition holds. */
export const untilTrue = (condition: () => Promise<boolean>): Promise<void> =>
  eventually(async () => expect(await condition()).toBe(true));

/** Admission, in front of both doors: key → viewer, then burst, scope, day and month, checked and counted at once. */
import type { Logger } from 'pino';
import type { Queryable } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { errors, Problem } from '../../schema/errors.ts';
import { ANONYMOUS, type Viewer } from '../../schema/viewer.ts';
import { TooManyGuesses } from './guesses.ts';
import type { OpenKeyNews } from './key-news.ts';
import { createKeyCheck } from './keys.ts';
import { createAnonymousPlan } from './plans.ts';
import { rateHeaders } from './quota/headers.ts';
import { createLastingStore } from './quota/away.ts';
import { createPostgresQuota } from './quota/postgres.ts';
import type { Charge, QuotaStore, Subject } from './quota/store.ts';
import { createAddressSubjects } from './quota/subject.ts';
import { missing, refuse, refuseByWindow, type Refusal, type Refused, type Requirement, type Writes } from './refusal.ts';
import { createSettlements, type Holder, type OpenRequest, type Outcome } from './settlement.ts';
import { createTakes } from './takes.ts';
import type { UsageCollector } from './usage/collector.ts';

export interface AdmissionRequest {
  /** COUNTED when absent; `/usage` and `/me` are BURST_ONLY, `/plans` is COUNTED_NEVER_REFUSED; MORE is of a request admitted before. */
  readonly charge?: Charge;
  /** Units of day and month, 1 when absent; the burst counts requests, so it always takes one. Only COUNTED and MORE have a cost. */
  readonly cost?: number;
  /** What the operation needs; a request that lacks it costs one of the burst and nothing of the quota. */
  readonly requires?: Requirement;
}

export interface Admitted {
  readonly kind: 'ADMITTED';
  /** ANONYMOUS itself without a key: such executions may be shared. The sport of the host is the router's to add. */
  readonly viewer: Viewer;
  /** Whom this counts against: the lineage of the key, or the hashed address. */
  readonly subject: Subject;
  /** True when a valid key was presented. */
  readonly keyed: boolean;
  /** Whether the viewer may write, as of the last charge. Without write access in the plan, viewer.scopes has no write scopes. */
  readonly writes: Writes;
  /** RateLimit-Policy, RateLimit and X-RateLimit-*, lower-case names, as of the last charge; none where nothing was charged. */
  readonly headers: Readonly<Record<string, string>>;
  /** Charges further units once the cost is known (a GraphQL document is parsed after admission); a refusal ends the request. */
  charge(units: number): Promise<Refusal | null>;
  /** To be called once with what the client was told: it is recorded, and our own 500, 502 and 503 are refunded, the burst never. */
  settle(outcome: Outcome): void;
}

export interface AdmissionOptions {
  /** Role talent_router: reads the views of keys and plans. */
  readonly database: Queryable;
  readonly secrets: Secrets;
  readonly log: Pick<Logger, 'error'>;
  /** Counters in PostgreSQL over `database` when absent; give them a pool of their own (quotaPool). */
  readonly counters?: QuotaStore;
  /** Channels on which changes of keys are told; without one, what is known of a key lives for less than a second. */
  readonly keyNews?: readonly OpenKeyNews[];
  /** Told of every request when its answer was told; nothing is recorded when absent. */
  readonly usage?: Pick<UsageCollector, 'record'>;
}

export interface Admission {
  /**
   * Never throws for what a caller did or for a store that is away. While the counters are away reads are admitted from a local
   * budget, and nothing may be written; without the database, keys that are not known here are refused.
   */
  admit(caller: Caller, request?: AdmissionRequest): Promise<Admitted | Refused>;
  /** Requests admitted from local budgets since the start. */
  degraded(): number;
  close(): Promise<void>;
}

const temporary: ReadonlySet<string> = new Set(['upstream_unavailable', 'rate_limited']);

export function createAdmission({ database, secrets, log, counters, usage, keyNews }: AdmissionOptions): Admission {
  const store = createLastingStore(counters ?? createPostgresQuota(database, log), log);
  const takes = createTakes(store);
  const keys = createKeyCheck(database, secrets, keyNews);
  const anonymousPlan = createAnonymousPlan(database);
  const addressSubjects = createAddressSubjects(secrets.derive('address-pepper'), () => store.clockMs());
  const settlementOf = createSettlements(takes, () => store.clockMs(), usage ?? null);

  async function anonymous(caller: Caller): Promise<Holder> {
    return { viewer: ANONYMOUS, ...addressSubjects(caller.address), plan: await anonymousPlan() };
  }

  /** A refusal that costs one of the holder's burst and nothing else, so that probing is not free. */
  async function refuseAtBurst(problem: Problem, holder: Holder, open: OpenRequest): Promise<Refusal> {
    const keyed = holder.viewer !== ANONYMOUS;
    const taken = (open.last = await takes.take(holder, 'BURST_ONLY', 1));
    if (!taken.granted) return refuseByWindow(taken, 'BURST_ONLY', 1, keyed);
    return refuse(problem, keyed, keyed ? rateHeaders(holder.plan, taken.usage) : {});
  }

  function admitted(holder: Holder, open: OpenRequest): Admitted {
    const { viewer, subject, plan } = holder;
    const keyed = viewer !== ANONYMOUS;
    return {
      kind: 'ADMITTED',
      viewer,
      subject,
      keyed,
      get writes() {
        if (!plan.writes) return 'NOT_IN_PLAN';
        const away = open.last === null ? store.away(subject) : open.last.usage.local === true;
        return away ? 'AWAY' : 'ALLOWED';
      },
      get headers() {
        return open.last === null ? {} : rateHeaders(plan, open.last.usage);
      },
      async charge(more) {
        try {
          const taken = await takes.take(holder, 'MORE', more);
          if (!taken.granted) return refuseByWindow(taken, 'MORE', more, keyed);
          open.last = taken;
          open.units += more;
          return null;
        } catch (fault) {
          return throwQuotaError(fault, keyed);
        }
      },
      settle: settlementOf(open),
    };
  }

  /** What keeps us from admitting is soon over: the database of keys is away, or the local budget is used up. */
  function throwQuotaError(fault: unknown, keyed: boolean): Refusal {
    if (fault instanceof Problem && temporary.has(fault.code)) return refuse(fault, keyed, { 'retry-after': '1' });
    throw fault;
  }

  async function enter(caller: Caller, request: AdmissionRequest, open: OpenRequest): Promise<Admitted | Refusal> {
    const charge = request.charge ?? 'COUNTED';
    const cost = charge === 'COUNTED' || charge === 'MORE' ? (request.cost ?? 1) : 1;
    let holder: Holder;
    try {
      holder = open.holder = (await keys.check(caller)) ?? (await anonymous(caller));
    } catch (fault) {
      if (!(fault instanceof Problem) || errors[fault.code].status >= 500) throw fault;
      open.holder = await anonymous(caller);
      if (fault instanceof TooManyGuesses) return refuse(fault, false, { 'retry-after': String(fault.retryAfterSeconds) });
      return refuseAtBurst(fault, open.holder, open);
    }
    const keyed = holder.viewer !== ANONYMOUS;
    const lacking = request.requires && missing(request.requires, holder.viewer, holder.plan.writes);
    if (lacking) return refuseAtBurst(lacking, holder, open);
    if (charge === 'MORE' && cost === 0) return admitted(holder, open);
    const taken = (open.last = await takes.take(holder, charge, cost));
    if (!taken.granted) return refuseByWindow(taken, charge, cost, keyed);
    open.units = charge === 'BURST_ONLY' ? 0 : cost;
    return admitted(holder, open);
  }

  return {
    async admit(caller, request = {}) {
      const open: OpenRequest = {
        holder: null,
        address: caller.address,
        requestId: caller.requestId,
        beganMs: performance.now(),
        requests: request.charge === 'MORE' ? 0 : 1,
        units: 0,
        last: null,
      };
      const entered = await enter(caller, request, open).catch((fault: unknown) =>
        throwQuotaError(fault, open.holder !== null && open.holder.viewer !== ANONYMOUS),
      );
      return entered.kind === 'ADMITTED' ? entered : { ...entered, settle: settlementOf(open) };
    },
    degraded: () => store.degraded(),
    async close() {
      await keys.close();
      await store.close();
    },
  };
}

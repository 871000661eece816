/** Admission for both APIs: resolves the key to a viewer, then checks and counts burst, scopes, day and month. */
import type { Logger } from 'pino';
import type { Queryable } from '../../platform/database/database.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { noteRequest } from '../../platform/telemetry/request-scope.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { errors, isOutage, Problem } from '../../schema/errors.ts';
import type { Sport } from '../../schema/sports.ts';
import { ANONYMOUS, viewerAt, type Viewer } from '../../schema/viewer.ts';
import { TooManyFailedAttempts } from './failed-attempts.ts';
import type { OpenKeyChanges } from './key-changes.ts';
import { createKeyCheck, RejectedKey } from './key-check.ts';
import { createAnonymousPlan } from './pricing-plan.ts';
import { rateHeaders } from './quota/headers.ts';
import type { QuotaState } from './quota/rate-limit.ts';
import { createResilientStore } from './quota/resilient-store.ts';
import { createPostgresQuota } from './quota/postgres.ts';
import type { Charge, QuotaStore, Subject } from './quota/store.ts';
import { createAddressSubjects } from './quota/subject.ts';
import {
  missingAccess,
  reject,
  rejectByQuota,
  type Rejection,
  type RejectedRequest,
  type AccessRequirement,
  type WriteAccess,
} from './rejection.ts';
import {
  createSettlements,
  isFree,
  releaseUnused,
  without,
  type RequestHolder,
  type PendingRequest,
  type Outcome,
} from './settlement.ts';
import type { Shed, Shedding } from './shedding.ts';
import { createAcquisitions } from './acquisitions.ts';
import type { UsageCollector } from './usage/collector.ts';

export interface AdmissionRequest {
  /** Default COUNTED. `/usage` and `/me` are BURST_ONLY, `/plans` is COUNTED_NEVER_REJECTED, MORE adds to an admitted request. */
  readonly charge?: Charge;
  /** Units of day and month, default 1; the burst counts each request once. Only COUNTED and MORE have a cost. */
  readonly cost?: number;
  /** Access that the operation requires; a request without it costs one of the burst and no quota. */
  readonly requires?: AccessRequirement;
}

export interface Admitted {
  readonly kind: 'ADMITTED';
  /** The viewer at the host of the request. */
  readonly viewer: Viewer;
  /** Whose quota is used: the lineage of the key, or the hashed address. */
  readonly subject: Subject;
  /** The same with the plan: whose quota the request uses. */
  readonly holder: RequestHolder;
  /** True when the request carried a valid key. */
  readonly authenticated: boolean;
  /** Write access as of the last charge. Without write access in the plan, viewer.scopes has no write scopes. */
  readonly writes: WriteAccess;
  /** The quota as of the last charge; null before the first charge. */
  readonly quota: QuotaState | null;
  /** Whether the key runs only registered documents over GraphQL (docs/keys.md). */
  readonly registeredDocumentsOnly: boolean;
  /** RateLimit-Policy, RateLimit and X-RateLimit-*, lower-case names, as of the last charge; empty before the first charge. */
  readonly headers: Readonly<Record<string, string>>;
  /** Charges further units once the cost is known (a GraphQL document is parsed after admission); a rejection ends the request. */
  charge(units: number): Promise<Rejection | null>;
  /** Releases what was charged above these units, once it is known what the response costs. `headers` are as if it was never charged. */
  keep(units: number): void;
  /** The headers of a 304: to a valid key it is free. Otherwise `headers`. */
  readonly notModifiedHeaders: Readonly<Record<string, string>>;
  /** Call once with the status sent to the client: records the usage, refunds 500, 502 and 503, and releases the charge of a 304 to a valid key. The burst is never refunded. */
  settle(outcome: Outcome): void;
}

export interface AdmissionOptions {
  /** Role talent_router: reads the views of keys and plans. */
  readonly database: Queryable;
  readonly secrets: Secrets;
  readonly log: Pick<Logger, 'error'>;
  /** Default: counters in PostgreSQL over `database`. Give them a separate pool (quotaPool). */
  readonly counters?: QuotaStore;
  /** Channels that announce key changes; without one, keys are cached for less than a second. */
  readonly keyChanges?: readonly OpenKeyChanges[];
  /** The sport of a host; default: none. */
  readonly sportOf?: ((host: string) => Sport | null) | undefined;
  /** Rejects callers by priority while the process is busy; default: never. */
  readonly shedding?: Shedding | undefined;
  /** Records every settled request; nothing is recorded when absent. */
  readonly usage?: Pick<UsageCollector, 'record'>;
}

export interface Admission {
  /**
   * Never throws for invalid requests or an unavailable store. While the quota store is down, reads are admitted from a local
   * budget and writes are rejected; while the database is down, keys that are not cached are rejected.
   */
  admit(caller: Caller, request?: AdmissionRequest): Promise<Admitted | RejectedRequest>;
  /**
   * The viewer of a caller now, at no cost: the check of a request that is in progress for long. Throws the Problem with which its key would
   * be rejected.
   */
  viewerOf(caller: Caller): Promise<Viewer>;
  /** Requests admitted from local budgets since the start. */
  degraded(): number;
  close(): Promise<void>;
}

const isKeyed = ({ viewer }: RequestHolder): boolean => viewer.kind !== 'ANONYMOUS';

export function createAdmission(options: AdmissionOptions): Admission {
  const { database, secrets, log, counters, usage, keyChanges, sportOf = () => null, shedding = () => null } = options;
  const store = createResilientStore(counters ?? createPostgresQuota(database, log), log);
  const acquisitions = createAcquisitions(store);
  const keys = createKeyCheck(database, secrets, keyChanges);
  const anonymousPlan = createAnonymousPlan(database);
  const addressSubjects = createAddressSubjects(secrets.derive('address-pepper'), () => store.clockMs());
  const settlementOf = createSettlements(acquisitions, () => store.clockMs(), usage ?? null);

  async function anonymous(caller: Caller): Promise<RequestHolder> {
    return { viewer: ANONYMOUS, ...addressSubjects(caller.address), plan: await anonymousPlan() };
  }

  /** The caller's viewer at the host of the request. */
  async function holderOf(caller: Caller): Promise<RequestHolder> {
    const found = (await keys.check(caller)) ?? (await anonymous(caller));
    const sport = sportOf(caller.host);
    return sport === null ? found : { ...found, viewer: viewerAt(found.viewer, sport) };
  }

  /** A rejection that costs one of the holder's burst and nothing else: probing is limited too. */
  async function rejectWithBurst(problem: Problem, holder: RequestHolder, pending: PendingRequest): Promise<Rejection> {
    const authenticated = isKeyed(holder);
    const acquisition = (pending.last = await acquisitions.acquire(holder, 'BURST_ONLY', 1));
    if (!acquisition.acquired) return rejectByQuota(acquisition, 'BURST_ONLY', 1, authenticated);
    return reject(problem, authenticated, authenticated ? rateHeaders(holder.plan, acquisition.usage) : {});
  }

  const rejectByLoad = (shed: Shed, holder: RequestHolder): Rejection =>
    reject(shed.problem, isKeyed(holder), { 'retry-after': String(shed.retryAfterSeconds) });
  function admitted(holder: RequestHolder, pending: PendingRequest): Admitted {
    const { viewer, subject, plan } = holder;
    const authenticated = isKeyed(holder);
    return {
      kind: 'ADMITTED',
      viewer,
      subject,
      holder,
      authenticated,
      get writes() {
        if (!plan.writes) return 'NOT_IN_PLAN';
        const unavailable = pending.last === null ? store.isUnavailable(subject) : pending.last.usage.local === true;
        return unavailable ? 'UNAVAILABLE' : 'ALLOWED';
      },
      get quota() {
        const { last, units } = pending;
        return last === null ? null : { plan, usage: last.usage, units };
      },
      registeredDocumentsOnly: holder.registeredDocumentsOnly === true,
      get headers() {
        return pending.last === null ? {} : rateHeaders(plan, pending.last.usage);
      },
      async charge(more) {
        try {
          const acquisition = await acquisitions.acquire(holder, 'MORE', more);
          if (!acquisition.acquired) return rejectByQuota(acquisition, 'MORE', more, authenticated);
          pending.last = acquisition;
          noteRequest({ cost: (pending.units += more) });
          return null;
        } catch (error) {
          return rejectTemporarily(error, authenticated);
        }
      },
      keep: (units) => releaseUnused(acquisitions, pending, units),
      get notModifiedHeaders() {
        const { last, units } = pending;
        return last === null ? {} : rateHeaders(plan, (isFree(304, viewer) ? without(last, units) : last).usage);
      },
      settle: settlementOf(pending),
    };
  }

  /** Rejects with Retry-After when the cause is temporary: the key database is down, or the local budget is exhausted. */
  function rejectTemporarily(error: unknown, authenticated: boolean): Rejection {
    if (error instanceof Problem && (isOutage(error) || error.code === 'rate_limited'))
      return reject(error, authenticated, { 'retry-after': '1' });
    throw error;
  }

  /** Rejects a request whose key does not pass the key check. */
  async function rejectKey(error: unknown, caller: Caller, pending: PendingRequest): Promise<Rejection> {
    if (!(error instanceof Problem) || errors[error.code].status >= 500) throw error;
    pending.holder = await anonymous(caller);
    if (error instanceof RejectedKey) pending.rejectedKey = error.key;
    if (error instanceof TooManyFailedAttempts) return reject(error, false, { 'retry-after': String(error.retryAfterSeconds) });
    return rejectWithBurst(error, pending.holder, pending);
  }

  async function enter(caller: Caller, request: AdmissionRequest, pending: PendingRequest): Promise<Admitted | Rejection> {
    const { charge = 'COUNTED', requires } = request;
    let holder: RequestHolder;
    try {
      holder = pending.holder = await holderOf(caller);
    } catch (error) {
      return rejectKey(error, caller, pending);
    }
    const shed = shedding(holder.plan);
    // before the quota store is asked, so that a rejection costs the caller and the process nothing
    if (shed !== null) return rejectByLoad(shed, holder);
    const lacking = requires && missingAccess(requires, holder.viewer, holder.plan.writes);
    if (lacking) return rejectWithBurst(lacking, holder, pending);
    const cost = charge === 'COUNTED' || charge === 'MORE' ? (request.cost ?? 1) : 1;
    if (charge === 'MORE' && cost === 0) return admitted(holder, pending);
    const acquisition = (pending.last = await acquisitions.acquire(holder, charge, cost));
    if (!acquisition.acquired) return rejectByQuota(acquisition, charge, cost, isKeyed(holder));
    noteRequest({ cost: (pending.units = charge === 'BURST_ONLY' ? 0 : cost) });
    return admitted(holder, pending);
  }

  return {
    async admit(caller, request = {}) {
      const pending: PendingRequest = {
        holder: null,
        rejectedKey: null,
        address: caller.address,
        requestId: caller.requestId,
        line: caller.request ?? null,
        startedMs: performance.now(),
        requests: request.charge === 'MORE' ? 0 : 1,
        units: 0,
        last: null,
        releasing: null,
      };
      const entered = await enter(caller, request, pending).catch((error: unknown) =>
        rejectTemporarily(error, pending.holder !== null && isKeyed(pending.holder)),
      );
      return entered.kind === 'ADMITTED' ? entered : { ...entered, settle: settlementOf(pending) };
    },
    viewerOf: async (caller) => (await holderOf(caller)).viewer,
    degraded: () => store.degraded(),
    async close() {
      await keys.close();
      await store.close();
    },
  };
}

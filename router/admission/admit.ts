/** Admission, in front of both doors: key → viewer, then burst, scope, day and month, checked and counted at once. */
import type { Logger } from 'pino';
import type { Queryable } from '../../platform/database.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Caller } from '../../schema/door.ts';
import { errors, Problem } from '../../schema/errors.ts';
import { ANONYMOUS, type Viewer } from '../../schema/viewer.ts';
import { createKeyCheck, type KeyHolder } from './keys.ts';
import { createAnonymousPlan } from './plans.ts';
import { rateHeaders } from './quota/headers.ts';
import { createPostgresQuota } from './quota/postgres.ts';
import type { Charge, QuotaStore, Subject, Usage } from './quota/store.ts';
import { createAddressSubjects } from './quota/subject.ts';
import { missing, refuse, refuseByWindow, type Refused, type Requirement } from './refusal.ts';

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
  /** False when the plan has no write access: its keys' write scopes are left out of viewer.scopes. */
  readonly planWrites: boolean;
  /** RateLimit-Policy, RateLimit and X-RateLimit-*, lower-case names, as of the last charge; none where nothing was charged. */
  readonly headers: Readonly<Record<string, string>>;
  /** Charges further units once the cost is known (a GraphQL document is parsed after admission); a refusal ends the request. */
  charge(units: number): Promise<Refused | null>;
  /** To be called once with what the client was told: our own 500, 502 and 503 are refunded, the burst never. */
  settle(outcome: { readonly status: number }): void;
}

export interface AdmissionOptions {
  /** Role talent_router: reads the views of keys and plans. */
  readonly database: Queryable;
  readonly secrets: Secrets;
  readonly log: Pick<Logger, 'error'>;
  /** Counters in PostgreSQL over `database` when absent; give them a pool of their own (quotaPool). */
  readonly counters?: QuotaStore;
}

export interface Admission {
  /** Never throws for what a caller did or for a store that is away: these are refusals. */
  admit(caller: Caller, request?: AdmissionRequest): Promise<Admitted | Refused>;
  close(): Promise<void>;
}

const refunded = new Set([500, 502, 503]);

/** Most units a subject gets back in a day, so that failing on purpose is no way around a quota. */
const refundCap = (perDay: number): number => Math.max(20, Math.floor(perDay / 100));

export function createAdmission({ database, secrets, log, counters }: AdmissionOptions): Admission {
  const store = counters ?? createPostgresQuota(database, log);
  const checkKey = createKeyCheck(database, secrets);
  const anonymousPlan = createAnonymousPlan(database);
  const addressSubject = createAddressSubjects(secrets.derive('address-pepper'), () => store.clockMs());

  async function anonymous(caller: Caller): Promise<KeyHolder> {
    return { viewer: ANONYMOUS, subject: addressSubject(caller.address), plan: await anonymousPlan() };
  }

  /** A refusal that costs one of the holder's burst and nothing else, so that probing is not free. */
  async function refuseAtBurst(problem: Problem, holder: KeyHolder, keyed: boolean): Promise<Refused> {
    const { granted, usage } = await store.take(holder.subject, holder.plan, 'BURST_ONLY', 1);
    if (!granted) return refuseByWindow(holder.plan, usage, 'BURST_ONLY', 1, keyed);
    return refuse(problem, keyed, keyed ? rateHeaders(holder.plan, usage) : {});
  }

  function admitted(holder: KeyHolder, charge: Charge, cost: number, first: Usage | null): Admitted {
    const { viewer, subject, plan } = holder;
    const keyed = viewer !== ANONYMOUS;
    let usage = first;
    let units = charge === 'BURST_ONLY' ? 0 : cost;
    let settled = false;
    return {
      kind: 'ADMITTED',
      viewer,
      subject,
      keyed,
      planWrites: plan.writes,
      get headers() {
        return usage === null ? {} : rateHeaders(plan, usage);
      },
      async charge(more) {
        try {
          const taken = await store.take(subject, plan, 'MORE', more);
          if (!taken.granted) return refuseByWindow(plan, taken.usage, 'MORE', more, keyed);
          usage = taken.usage;
          units += more;
          return null;
        } catch (fault) {
          return storeAway(fault, keyed);
        }
      },
      settle({ status }) {
        if (settled) return;
        settled = true;
        if (usage !== null && units > 0 && refunded.has(status)) store.refund(subject, usage, units, refundCap(plan.perDay));
      },
    };
  }

  /** The seam for the local budget of reads while the store is away (api.md section 5): until then everything is 503. */
  function storeAway(fault: unknown, keyed: boolean): Refused {
    if (fault instanceof Problem && fault.code === 'upstream_unavailable') return refuse(fault, keyed, { 'retry-after': '1' });
    throw fault;
  }

  return {
    async admit(caller, request = {}) {
      const charge = request.charge ?? 'COUNTED';
      const cost = charge === 'COUNTED' || charge === 'MORE' ? (request.cost ?? 1) : 1;
      let keyed = false;
      try {
        let holder: KeyHolder;
        try {
          holder = (await checkKey(caller)) ?? (await anonymous(caller));
        } catch (fault) {
          if (!(fault instanceof Problem) || errors[fault.code].status >= 500) throw fault;
          return await refuseAtBurst(fault, await anonymous(caller), false);
        }
        keyed = holder.viewer !== ANONYMOUS;
        const lacking = request.requires && missing(request.requires, holder.viewer, holder.plan.writes);
        if (lacking) return await refuseAtBurst(lacking, holder, keyed);
        if (charge === 'MORE' && cost === 0) return admitted(holder, charge, cost, null);
        const { granted, usage } = await store.take(holder.subject, holder.plan, charge, cost);
        if (!granted) return refuseByWindow(holder.plan, usage, charge, cost, keyed);
        return admitted(holder, charge, cost, usage);
      } catch (fault) {
        return storeAway(fault, keyed);
      }
    },
    close: () => store.close(),
  };
}

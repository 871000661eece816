/** Acquires quota for a holder; requests counted by an IPv6 /64 also count in the outer /48, which has ten times the limits. */
import type { PricingPlan } from './pricing-plan.ts';
import type { Charge, QuotaStore, Subject, Usage } from './quota/store.ts';
import type { AddressSubjects } from './quota/subject.ts';

/** Whose quota a request uses. */
export interface QuotaHolder {
  readonly subject: Subject;
  readonly plan: PricingPlan;
  /** The /48 of an IPv6 address: it has 65,536 /64 networks, and would otherwise have as many quotas. */
  readonly outer?: AddressSubjects['outer'];
}

export interface Acquisition {
  readonly acquired: boolean;
  readonly usage: Usage;
  /** The plan that `usage` belongs to: that of the outer network when it rejected the request. */
  readonly plan: PricingPlan;
  /** The outer network that rejected the request; null when the holder's own windows decided. */
  readonly network: string | null;
  /** State of the outer network; null without one. */
  readonly outerUsage: Usage | null;
}

const outerFactor = 10;

/** Units that a subject gets back per day at most, so that provoking errors cannot extend a quota. */
const refundCap = (perDay: number): number => Math.max(20, Math.floor(perDay / 100));

const outerPlan = (plan: PricingPlan): PricingPlan => ({
  ...plan,
  burstPerMinute: plan.burstPerMinute * outerFactor,
  perDay: plan.perDay * outerFactor,
  perMonth: plan.perMonth * outerFactor,
});

export interface Acquisitions {
  /** Like QuotaStore.acquire. When the outer network rejects, the holder's units are released, except for the burst. */
  acquire(holder: QuotaHolder, charge: Charge, cost: number): Promise<Acquisition>;
  /** Refunds units of an earlier acquisition after a platform error. Resolves to the holder's refunded units; never rejects. */
  refund(holder: QuotaHolder, acquisition: Acquisition, units: number): Promise<number>;
  /**
   * Releases units that a request did not use. Later acquisitions of the same router find them.
   * Resolves to the holder's released units; never rejects.
   */
  release(holder: QuotaHolder, acquisition: Acquisition, units: number): Promise<number>;
}

export function createAcquisitions(store: QuotaStore): Acquisitions {
  /** The last release of each subject that is not written yet. */
  const releases = new Map<Subject, Promise<number>>();

  function releaseUnits(subject: Subject, usage: Usage, units: number): Promise<number> {
    const release = store.refund(subject, usage, units, null);
    releases.set(subject, release);
    void release.then(() => {
      if (releases.get(subject) === release) releases.delete(subject);
    });
    return release;
  }

  return {
    async acquire({ subject, plan, outer }, charge, cost) {
      // a client that has received its response may use what it did not cost
      if (releases.size > 0) await Promise.all([releases.get(subject), outer && releases.get(outer.subject)]);
      const own = await store.acquire(subject, plan, charge, cost);
      if (!own.acquired || !outer) return { ...own, plan, network: null, outerUsage: null };
      const wide = outerPlan(plan);
      const release = (): void => {
        if (charge !== 'BURST_ONLY') void releaseUnits(subject, own.usage, cost);
      };
      const shared = await store.acquire(outer.subject, wide, charge, cost).catch((error: unknown) => {
        release();
        throw error;
      });
      if (shared.acquired) return { ...own, plan, network: null, outerUsage: shared.usage };
      release();
      return { ...shared, plan: wide, network: outer.network, outerUsage: null };
    },
    refund({ subject, plan, outer }, { usage, outerUsage }, units) {
      if (outer && outerUsage) void store.refund(outer.subject, outerUsage, units, refundCap(plan.perDay * outerFactor));
      return store.refund(subject, usage, units, refundCap(plan.perDay));
    },
    release({ subject, outer }, { usage, outerUsage }, units) {
      if (outer && outerUsage) void releaseUnits(outer.subject, outerUsage, units);
      return releaseUnits(subject, usage, units);
    },
  };
}

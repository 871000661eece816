/** Takes from a holder's windows; what is counted by an IPv6 /64 counts also in the /48 around it, which has ten times the plan. */
import type { Plan } from './plans.ts';
import type { Charge, QuotaStore, Subject, Usage } from './quota/store.ts';
import type { AddressSubjects } from './quota/subject.ts';

/** Whom something counts against. */
export interface Counted {
  readonly subject: Subject;
  readonly plan: Plan;
  /** The network around an IPv6 address: who has one has 65,536 of /64, and would have as many quotas. */
  readonly around?: AddressSubjects['around'];
}

export interface Take {
  readonly granted: boolean;
  readonly usage: Usage;
  /** The plan that `usage` is of: that of the network around when this one refused. */
  readonly plan: Plan;
  /** The network that refused; null when the holder's own windows decided. */
  readonly network: string | null;
  /** State of the network around; null without one. */
  readonly aroundUsage: Usage | null;
}

const timesAround = 10;

/** Most units a subject gets back in a day, so that failing on purpose is no way around a quota. */
const refundCap = (perDay: number): number => Math.max(20, Math.floor(perDay / 100));

const planAround = (plan: Plan): Plan => ({
  ...plan,
  burstPerMinute: plan.burstPerMinute * timesAround,
  perDay: plan.perDay * timesAround,
  perMonth: plan.perMonth * timesAround,
});

export interface Takes {
  /** As QuotaStore.take. What the network around refuses is given back to the holder, except for his burst. */
  take(holder: Counted, charge: Charge, cost: number): Promise<Take>;
  /** Gives back units of an earlier take of the holder: for our own faults. Resolves to how many the holder got; never rejects. */
  refund(holder: Counted, take: Take, units: number): Promise<number>;
}

export function createTakes(store: QuotaStore): Takes {
  return {
    async take({ subject, plan, around }, charge, cost) {
      const own = await store.take(subject, plan, charge, cost);
      if (!own.granted || !around) return { ...own, plan, network: null, aroundUsage: null };
      const wide = planAround(plan);
      // not for a fault of ours, so the bound on these does not hold; what is given back was counted a moment ago
      const giveBack = (): void => {
        if (charge !== 'BURST_ONLY') void store.refund(subject, own.usage, cost, plan.perDay);
      };
      const shared = await store.take(around.subject, wide, charge, cost).catch((refusal: unknown) => {
        giveBack();
        throw refusal;
      });
      if (shared.granted) return { ...own, plan, network: null, aroundUsage: shared.usage };
      giveBack();
      return { ...shared, plan: wide, network: around.network, aroundUsage: null };
    },
    refund({ subject, plan, around }, { usage, aroundUsage }, units) {
      if (around && aroundUsage) void store.refund(around.subject, aroundUsage, units, refundCap(plan.perDay * timesAround));
      return store.refund(subject, usage, units, refundCap(plan.perDay));
    },
  };
}

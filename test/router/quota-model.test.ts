/** Quotas against a model: concurrent routers and clients, cut connections, and a stepped clock, over every store. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { QuotaStoreError, type Limits, type QuotaStore } from '../../router/admission/quota/store.ts';
import { createAdmissionPlatform, untilTrue, type Router, type AdmissionPlatform } from './admission-platform.ts';
import { describeStores } from './admission-stores.ts';

const secondMs = 1000;

/** Instants shortly before the end of a window: of a day, of months of 28 to 31 days, of a year. */
const ends = [
  '2027-01-15T23:59:58Z',
  '2027-01-31T23:59:58Z',
  '2027-02-28T23:59:58Z',
  '2027-04-30T23:59:58Z',
  '2027-12-31T23:59:58Z',
  '2028-02-28T23:59:58Z',
  '2028-02-29T23:59:58Z',
].map(Date.parse);

const wave = fc.record({
  takes: fc.array(
    fc.record({
      router: fc.nat({ max: 2 }),
      charge: fc.constantFrom('COUNTED' as const, 'MORE' as const),
      cost: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 1, maxLength: 16 },
  ),
  cut: fc.boolean(),
  /** Steps the clock during the run: past the next window end, or slightly back. */
  step: fc.constantFrom('NONE', 'NONE', 'OVER', 'BACK'),
});

const run = fc.record({
  perDay: fc.integer({ min: 1, max: 40 }),
  perMonth: fc.integer({ min: 1, max: 60 }),
  waves: fc.array(wave, { minLength: 1, maxLength: 7 }),
});

describeStores(
  'counters in',
  (kind) => {
    let platform: AdmissionPlatform;
    let routers: readonly Router[];
    beforeAll(async () => {
      platform = await createAdmissionPlatform(kind);
      routers = [await platform.router(), await platform.router(), await platform.router()];
    });
    afterAll(() => platform.close());

    const countersOf = (index: number): QuotaStore => {
      const router = routers[index];
      if (router === undefined) throw new Error('Unknown router.');
      return router.counters;
    };

    const connected = () =>
      untilTrue(async () => {
        const requested = routers.map(({ counters }) =>
          counters.acquire('00'.repeat(16), { burstPerMinute: 1e6, perDay: 1e9, perMonth: 1e9 }, 'BURST_ONLY', 1),
        );
        return (await Promise.allSettled(requested)).every(({ status }) => status === 'fulfilled');
      });

    test('acknowledged <= used <= acknowledged + unknown, and used <= limit, with cut connections and clock steps', async () => {
      await fc.assert(
        fc.asyncProperty(run, async ({ perDay, perMonth, waves }) => {
          const subject = randomBytes(16).toString('hex');
          const limits: Limits = { burstPerMinute: 1_000_000, perDay, perMonth };
          const acknowledged = new Map<string, number>();
          const unknown = new Map<string, number>();
          const add = (sums: Map<string, number>, name: string, units: number) => sums.set(name, (sums.get(name) ?? 0) + units);
          const left = [...ends];
          let end = left.shift() ?? 0;
          let clock = end;
          const setClock = (): Promise<void> => platform.store.stepClock(subject, clock - Date.now());
          const windows = (): string[] => {
            const at = new Date(clock).toISOString();
            return [`day ${at.slice(0, 10)}`, `month ${at.slice(0, 7)}`];
          };
          await setClock();
          for (const { takes, cut, step } of waves) {
            const before = windows();
            if (step === 'OVER') clock = end + 3 * secondMs;
            if (step === 'BACK') clock -= 3 * secondMs;
            const disturbances = [...(cut ? [platform.store.cut()] : []), ...(step === 'NONE' ? [] : [setClock()])];
            const results = await Promise.allSettled(
              takes.map(({ router, charge, cost }) => countersOf(router).acquire(subject, limits, charge, cost)),
            );
            await Promise.all(disturbances);
            results.forEach((result, index) => {
              const cost = takes[index]?.cost ?? 0;
              if (result.status === 'rejected') {
                expect(result.reason).toBeInstanceOf(QuotaStoreError);
                // in one of the windows open during the run, or in one that does not go backwards
                for (const name of new Set([...before, ...windows()])) add(unknown, name, cost);
              } else if (result.value.acquired) {
                add(acknowledged, `day ${result.value.usage.day}`, cost);
                add(acknowledged, `month ${result.value.usage.month.slice(0, 7)}`, cost);
              }
            });
            if (cut) await connected();
            const counter = await platform.store.read(subject);
            if (counter === null) continue;
            for (const [name, used, limit] of [
              [`day ${counter.day}`, counter.dayUsed, perDay],
              [`month ${counter.month.slice(0, 7)}`, counter.monthUsed, perMonth],
            ] as const) {
              expect(used).toBeLessThanOrEqual(limit);
              expect(used).toBeGreaterThanOrEqual(acknowledged.get(name) ?? 0);
              expect(used).toBeLessThanOrEqual((acknowledged.get(name) ?? 0) + (unknown.get(name) ?? 0));
            }
            if (step === 'OVER') {
              end = left.shift() ?? end + 86_400_000;
              clock = end;
              await setClock();
            }
          }
        }),
        { numRuns: 20 },
      );
    });
  },
  ['PostgreSQL', 'Redis'],
);

/** Accounts with Stripe customers on a separate database, a local Stripe, and processes that report usage. */
import { sql } from '../../../platform/database/database.ts';
import { createOutgoingClient } from '../../../platform/http/outgoing-client.ts';
import { createLog } from '../../../platform/log.ts';
import { createMeterReporter } from '../../../subgraphs/accounts/meter-events/reporter.ts';
import { openStripe } from '../../stripe.ts';
import { openUsageFixture } from './usage-fixture.ts';

/** A day before today, YYYY-MM-DD (UTC). */
export const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

export async function openMeterFixture() {
  const [fixture, stripe] = await Promise.all([openUsageFixture(), openStripe()]);
  const outgoing = createOutgoingClient({ allowLocal: true });
  const lines: string[] = [];
  const log = createLog({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
  let holders = 0;

  /** Runs a process until it ends, or is killed while a request hangs. Unless `pauses` apply, failed events are due now. */
  async function runProcess({ settings = stripe.settings, pauses = false } = {}): Promise<void> {
    const ended = new AbortController();
    stripe.onHanging(() => ended.abort(new Error('killed')));
    if (!pauses)
      await fixture.owner.query(
        sql`/* test.due */ update accounts.meter_event set next_attempt_at = now() where rejection is null`,
      );
    const reporter = createMeterReporter({
      database: fixture.area,
      outgoing,
      settings,
      log,
      isActive: () => true,
      signal: ended.signal,
    });
    await reporter.report().catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
  }

  const unsent = () =>
    fixture.owner.query(sql`/* test.unsent */ select from accounts.meter_event e
      join accounts.account a on a.id = e.account_id where sent_at is null and a.stripe_customer_id is not null`);

  return {
    ...fixture,
    stripe,
    runProcess,
    /** The log lines of the processes. */
    logged: (): string => lines.join(''),
    /** An account with a Stripe customer. */
    async holder() {
      holders += 1;
      const customer = `cus_${holders}`;
      const { account, lineage, key } = await fixture.createHolder(customer, 'pro', '2024-01-01T00:00:00Z');
      await fixture.owner.query(
        sql`/* test.customer */ update accounts.account set stripe_customer_id = ${customer} where id = ${account}`,
      );
      return {
        account,
        customer,
        use: (day: string, units: number) => fixture.flush([{ at: `${day}T00:00:00Z`, account, lineage, key, requests: units }]),
      };
    },
    /** Disconnects all accounts from Stripe and ends the faults. */
    async disconnect(): Promise<void> {
      stripe.fail();
      lines.length = 0;
      await fixture.owner.query(sql`/* test.disconnect */ update accounts.account set stripe_customer_id = null`);
    },
    /** The units of an account in the rollups, per day. */
    async usedBy(account: string): Promise<Record<string, number>> {
      const rows = await fixture.owner.query<{ day: string; units: number }>(sql`/* test.used */
        select (starts_at at time zone 'UTC')::date::text as day, sum(units)::int as units from accounts.usage
        where granularity = 'DAY' and account_id = ${account} group by 1`);
      return Object.fromEntries(rows.map(({ day, units }) => [day, units]));
    },
    /** Starts processes until all usage is sent. */
    async reportAll(): Promise<void> {
      stripe.fail();
      for (let round = 0; round < 20; round += 1) {
        await runProcess();
        if ((await unsent()).length === 0) return;
      }
      throw new Error('events stay unsent');
    },
    async close(): Promise<void> {
      await stripe.close();
      await outgoing.close();
      await fixture.close();
    },
  };
}

export type MeterFixture = Awaited<ReturnType<typeof openMeterFixture>>;

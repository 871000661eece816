/** Whether usage reaches Stripe. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { CheckResult } from '../platform-overview/health.ts';
import { meterEventStatus } from './rows.ts';

interface Counts {
  readonly isUsed: boolean;
  readonly rejected: number;
  readonly unknown: number;
  readonly expired: number;
  /** Events that wait for longer than three hours: usage is sent once an hour. */
  readonly late: number;
}

/** Counts the events that Stripe does not have. Throws Error if no usage is sent to Stripe. */
export async function checkMeterEvents({ database }: Pick<AreaServices, 'database'>): Promise<CheckResult> {
  const [counts] = await database.query<Counts>(sql`/* health.meterEvents */
    select exists (select from meter_event) as "isUsed", count(*) filter (where status = 'REJECTED') as rejected,
      count(*) filter (where status = 'UNKNOWN') as unknown, count(*) filter (where status = 'EXPIRED') as expired,
      count(*) filter (where status = 'WAITING' and created_at < now() - interval '3 hours') as late
    from (select created_at, ${meterEventStatus} as status from meter_event where sent_at is null) unsent`);
  if (counts?.isUsed !== true) throw new Error('No usage is sent to Stripe.');
  const { rejected, unknown, expired, late } = counts;
  const findings = Object.entries({ rejected, unknown, expired, late }).filter(([, count]) => count > 0);
  if (findings.length === 0) return { detail: null };
  return { status: 'DEGRADED', detail: `Meter events: ${findings.map(([name, count]) => `${count} ${name}`).join(', ')}` };
}

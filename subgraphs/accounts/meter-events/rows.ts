/** The table of meter events, its rows, and the conditions of their status. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { MeterEventStatus } from '../generated/resolvers.ts';
import { createRecordedRows } from '../recorded-rows.ts';

export interface MeterEventRow {
  readonly id: string;
  readonly version: number;
  readonly accountId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  /** YYYY-MM-DD (UTC) */
  readonly day: string;
  readonly sequence: number;
  readonly customerId: string;
  readonly units: number;
  readonly status: MeterEventStatus;
  readonly sentAt: string | null;
  readonly rejection: string | null;
}

export type MeterEventPage = Page<MeterEventRow>;

/** The start of this day is less than 35 days ago until the current day ends: Stripe accepts no older timestamps. */
export const oldestDay = sql`(now() at time zone 'UTC')::date - 34`;

/** Stripe recognizes an identifier for 24 hours. An attempt needs less than the hour between. */
export const isRecognized = sql`(meter_event.unknown_since is null or meter_event.unknown_since > now() - interval '23 hours')`;

/** The status of an event as an expression. */
export const meterEventStatus = sql`case when meter_event.sent_at is not null then 'SENT' when not ${isRecognized} then 'UNKNOWN'
  when meter_event.day < ${oldestDay} then 'EXPIRED' when meter_event.rejection is not null then 'REJECTED' else 'WAITING' end`;

export const meterEvents = table<MeterEventRow>('meter_event', {
  id: 'plain',
  version: 'plain',
  accountId: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  day: sql`meter_event.day::text`,
  sequence: 'plain',
  customerId: 'plain',
  units: 'plain',
  status: meterEventStatus,
  sentAt: 'plain',
  rejection: 'plain',
});

export const meterEventRows = createRecordedRows(meterEvents, 'meter_event');

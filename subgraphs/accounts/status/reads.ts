/** Reads of the public status and of incidents. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import { componentNames, components, type ComponentName } from '../../../schema/components.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { Component, ComponentDay, ComponentStatus, HealthStatus, QueryIncidentsArgs } from '../generated/resolvers.ts';
import { shownDays } from './checks.ts';
import { incidents, type IncidentPage, type IncidentRow } from './rows.ts';

/** A component whose last check is older is unknown: three checks are missing. */
const staleMs = 180_000;
const openMax = 20;

interface CheckedComponent {
  readonly name: ComponentName;
  readonly status: HealthStatus;
  readonly checkedAt: string;
  readonly days: readonly Omit<ComponentDay, 'availabilityPercent'>[] | null;
}

export interface PlatformStatusRow {
  readonly status: ComponentStatus;
  readonly checkedAt: string | null;
  readonly components: readonly Component[];
  readonly incidents: readonly IncidentRow[];
}

/** From best to worst; an unknown component may be any, so it ranks before an outage. */
const severity: readonly ComponentStatus[] = ['OPERATIONAL', 'MAINTENANCE', 'DEGRADED', 'UNKNOWN', 'OUTAGE'];

const worst = (all: readonly ComponentStatus[]): ComponentStatus =>
  severity.findLast((status) => all.includes(status)) ?? 'OPERATIONAL';

const statusOfCheck: Readonly<Record<HealthStatus, ComponentStatus>> = {
  UP: 'OPERATIONAL',
  DEGRADED: 'DEGRADED',
  DOWN: 'OUTAGE',
};

/** The share of successful checks in percent, rounded down to hundredths: one failed check is never 100 %. Slow checks succeed. */
const percentOf = (checks: number, failed: number): number => Math.floor(((checks - failed) / checks) * 10_000) / 100;

/** Whether an incident affects its components at a time: not before the start of maintenance, and not after its planned end unless it was started. */
function isInEffect({ status, startedAt, endsAt }: IncidentRow, nowMs: number): boolean {
  if (status !== 'SCHEDULED') return status !== 'RESOLVED';
  return Date.parse(startedAt) <= nowMs && (endsAt === null || nowMs < Date.parse(endsAt));
}

function componentOf(
  name: ComponentName,
  checked: CheckedComponent | undefined,
  open: readonly IncidentRow[],
  nowMs: number,
): Component {
  const isKnown = checked !== undefined && nowMs - Date.parse(checked.checkedAt) < staleMs;
  const affecting = open.filter((incident) => incident.components.includes(name) && isInEffect(incident, nowMs));
  const status = worst([isKnown ? statusOfCheck[checked.status] : 'UNKNOWN', ...affecting.map(({ impact }) => impact)]);
  const days = checked?.days ?? [];
  const total = days.reduce((sum, { checks }) => sum + checks, 0);
  const failed = days.reduce((sum, { failedChecks }) => sum + failedChecks, 0);
  return {
    name,
    title: components[name].title,
    status,
    availabilityPercent: total === 0 ? null : percentOf(total, failed),
    days: days.map((day) => ({ ...day, availabilityPercent: percentOf(day.checks, day.failedChecks) })),
  };
}

function conditions(filter: QueryIncidentsArgs['filter']): Sql[] {
  const where: Sql[] = [];
  if (filter?.ids) where.push(sql`incident.id = any(${[...filter.ids]}::uuid[])`);
  if (typeof filter?.open === 'boolean') where.push(filter.open ? sql`resolved_at is null` : sql`resolved_at is not null`);
  if (filter?.component) where.push(sql`components && ${[...filter.component]}::text[]`);
  if (filter?.since) where.push(sql`started_at >= ${filter.since}`);
  return where;
}

/** Reads over the area's database. */
export function createStatusReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, IncidentRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<IncidentRow>(
        sql`/* incidents.byIds */ select ${incidents.columns} from incident where id = any(${[...ids]}::uuid[])`,
      ),
      ({ id }) => id,
    );

  return {
    byId,
    list({ first, after, filter }: QueryIncidentsArgs): Promise<IncidentPage> {
      const list = {
        name: 'incidents.list',
        columns: incidents.columns,
        from: sql`incident`,
        id: sql`incident.id`,
        where: conditions(filter),
        sort: sortBy(incidents, 'startedAt', 'timestamptz', 'desc'),
        filter: filter ?? {},
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
    /** The status now. It changes without an event, so its response is not kept. */
    async platformStatus({ notes }: Pick<Context, 'notes'>): Promise<PlatformStatusRow> {
      notes.expires = true;
      const [checked, open] = await Promise.all([
        database.query<CheckedComponent>(sql`/* status.components */
          select c.name, c.status, c.checked_at as "checkedAt", (
            select jsonb_agg(jsonb_build_object('day', day, 'checks', checks, 'degradedChecks', degraded, 'failedChecks', failed) order by day)
            from component_day where component = c.name and day > current_date - ${shownDays}::int) as days
          from component c`),
        database.query<IncidentRow>(
          sql`/* incidents.open */ select ${incidents.columns} from incident where resolved_at is null order by started_at desc, id desc limit ${openMax}`,
        ),
      ]);
      const byName = new Map(checked.map((each) => [each.name, each]));
      const nowMs = Date.now();
      const shown = componentNames.map((name) => componentOf(name, byName.get(name), open, nowMs));
      const checkedAt = checked
        .map((each) => each.checkedAt)
        .reduce<string | null>((last, at) => (last === null || at > last ? at : last), null);
      return { status: worst(shown.map(({ status }) => status)), checkedAt, components: shown, incidents: open };
    },
  };
}

export type StatusReads = ReturnType<typeof createStatusReads>;

/** The public registry of sports: the codes that writes and filters accept for each sport. */
import { actionTypes } from './action-types.ts';
import { sportNames, sports, metricsOf } from './sports.ts';
import type { EventRow } from './event-codes.ts';
import type { MetricKey, MetricRow } from './metrics.ts';
import { periodsBySport, type Periods } from './periods.ts';
import type { Sport, SportRow } from './sports.ts';
import { teamMetricsOf, type TeamMetric } from './team-metrics.ts';

export type EventEntry = { readonly code: string; readonly discipline: string } & EventRow;
export type MetricEntry = { readonly key: MetricKey } & MetricRow;

export interface SportEntry {
  /** Periods of a match; null for a sport without them. */
  readonly periods: Periods | null;
  readonly sport: Sport;
  readonly title: string;
  readonly disciplines: readonly string[];
  /** Position groups in display order; `positions` is empty for a group that is one exact position. */
  readonly positionGroups: readonly {
    readonly code: string;
    readonly title: string;
    readonly positions: readonly { readonly code: string; readonly title: string }[];
  }[];
  readonly events: readonly EventEntry[];
  /** Metrics of the sport, then metrics of every sport. */
  readonly metrics: readonly MetricEntry[];
  /** Metrics of a side in a match. */
  readonly teamMetrics: readonly TeamMetric[];
  /** Types of match actions. */
  readonly actionTypes: readonly string[];
}

const titled = (rows: Readonly<Record<string, string>>) => Object.entries(rows).map(([code, title]) => ({ code, title }));

function entryOf(sport: Sport): SportEntry {
  const { title, disciplines, positionGroups, eventCodes }: SportRow = sports[sport];
  return {
    sport,
    title,
    disciplines,
    positionGroups: Object.entries(positionGroups).map(([code, group]) => ({
      code,
      title: group.title,
      positions: titled(group.positions),
    })),
    events: Object.entries(eventCodes).flatMap(([discipline, events]) =>
      Object.entries(events).map(([code, event]) => ({ code, discipline, ...event })),
    ),
    metrics: metricsOf(sport),
    teamMetrics: teamMetricsOf(sport),
    periods: periodsBySport[sport] ?? null,
    actionTypes: actionTypes[sport],
  };
}

/** Every sport, in display order. */
export const sportRegistry: readonly SportEntry[] = sportNames.map(entryOf);

const kinds = {
  discipline: ({ disciplines }) => disciplines,
  position: ({ positionGroups }) =>
    positionGroups.flatMap(({ code, positions }) => [code, ...positions.map((each) => each.code)]),
  event: ({ events }) => events.map(({ code }) => code),
  metric: ({ metrics }) => metrics.map(({ key }) => key),
  'action type': (entry) => entry.actionTypes,
  'team metric': ({ teamMetrics }) => teamMetrics.map(({ key }) => key),
} as const satisfies Record<string, (entry: SportEntry) => readonly string[]>;

export type RegistryKind = keyof typeof kinds;

/** All codes of a kind that a sport accepts. Position groups count as positions; metrics of every sport are included. */
export function codesOf(sport: Sport, kind: RegistryKind): readonly string[] {
  return sportRegistry.filter((entry) => entry.sport === sport).flatMap(kinds[kind]);
}

/** The `statistics` table and its row type. */
import {
  column,
  computedColumn,
  defineTable,
  jsonColumn,
  resourceColumns,
  type RowOf,
} from '../../../platform/database/columns.ts';
import { sql } from '../../../platform/database/database.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { Sport, StatisticsScope, StatisticsSource } from '../generated/resolvers.ts';

export interface MetricRow {
  readonly key: string;
  readonly value: number;
}

/** A metric value with the row that it belongs to. */
export interface MetricOfRow extends MetricRow {
  readonly row: StatisticsRow;
}

const statisticsColumns = {
  ...resourceColumns,
  athleteId: column<string>(),
  scope: column<StatisticsScope>(),
  sport: column<Sport>(),
  matchId: column<string | null>(),
  seasonId: column<string | null>(),
  competitionId: column<string | null>(),
  teamId: column<string | null>(),
  eventCode: column<string | null>(),
  matchesPlayed: column<number | null>(),
  minutesPlayed: column<number | null>(),
  /** Number of matches with known minutes. Null means all of them. */
  matchesTimed: column<number | null>(),
  metrics: jsonColumn<MetricRow[]>(),
  source: column<StatisticsSource>(),
  verified: column<boolean>(),
  asOf: column<string | null>(),
  /** Rows with the highest value come first. */
  shownOrder: computedColumn<number>(sql`statistics.shown_order`),
};

export type StatisticsRow = RowOf<typeof statisticsColumns> & {
  /** The rank in a leaderboard. */
  readonly rank?: number;
};

export type StatisticsPage = Page<StatisticsRow>;

export const statistics = defineTable('statistics', statisticsColumns);

export const statisticsResource: Resource<StatisticsRow> = {
  type: 'statistics',
  table: statistics,
  created: 'statistics.updated',
  updated: 'statistics.updated',
  required: [],
  isPublic: () => false,
};

/** Statistics of athletes as the area's database holds them. */
import { sql } from '../../../platform/database/database.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { table } from '../../../platform/database/table.ts';
import type { Sport, StatisticsScope, StatisticsSource } from '../resolvers.generated.ts';

export interface MetricRow {
  readonly key: string;
  readonly value: number;
}

/** A number, and the row that it is one of. */
export interface MetricOfRow extends MetricRow {
  readonly row: StatisticsRow;
}

export interface StatisticsRow extends ResourceRow {
  readonly athleteId: string;
  readonly scope: StatisticsScope;
  readonly sport: Sport;
  readonly matchId: string | null;
  readonly seasonId: string | null;
  readonly competitionId: string | null;
  readonly teamId: string | null;
  readonly eventCode: string | null;
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  /** Of how many of the matches the minutes are known; null where nobody says: then of all. */
  readonly matchesTimed: number | null;
  readonly metrics: MetricRow[];
  readonly source: StatisticsSource;
  readonly verified: boolean;
  readonly asOf: string | null;
  /** The highest is shown first. */
  readonly shownOrder: number;
  /** In a leaderboard. */
  readonly rank?: number;
}

export type StatisticsPage = Page<StatisticsRow>;

export const statistics = table<Omit<StatisticsRow, 'rank'>>('statistics', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  athleteId: 'plain',
  scope: 'plain',
  sport: 'plain',
  matchId: 'plain',
  seasonId: 'plain',
  competitionId: 'plain',
  teamId: 'plain',
  eventCode: 'plain',
  matchesPlayed: 'plain',
  minutesPlayed: 'plain',
  matchesTimed: 'plain',
  metrics: 'jsonb',
  source: 'plain',
  verified: 'plain',
  asOf: 'plain',
  shownOrder: sql`statistics.shown_order`,
});

export const statisticsResource: Resource<StatisticsRow> = {
  type: 'statistics',
  table: statistics,
  created: 'statistics.updated',
  updated: 'statistics.updated',
  required: [],
  isPublic: () => false,
};

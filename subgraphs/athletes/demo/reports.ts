/** What is reported of a demo athlete: the seasons played, and in worlds made to be measured all seasons, the career, and what athletes say themselves. */
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoSeason, DemoData } from '../../../schema/demo.ts';
import type { AddRow } from '../../runtime/area-seed.ts';
import { computeRises, type SeasonMetrics } from '../discovery/season-growth.ts';
import { homeEvent } from './marks.ts';
import { generateSeason } from './metrics.ts';

/** A report: of a season, or of the career so far. */
interface Report {
  readonly season: DemoSeason | null;
  readonly source: 'PROVIDER' | 'SELF_REPORTED';
}

/** From so many athletes on a world has about five reports of each; smaller ones are looked at, and made at every first start. */
const fullHistoryFrom = 100_000;

/** The last seasons the athlete can have played in: two at most, older ones less likely. */
function lastSeasons(random: Random, begun: readonly DemoSeason[]): Report[] {
  const chances = [0.62, 0.8];
  return begun
    .slice(-2)
    .filter((_, index, both) => random.chance(chances[index + 2 - both.length] ?? 0))
    .map((season) => ({ season, source: 'PROVIDER' }));
}

function generateReports(random: Random, athlete: DemoAthlete, demo: DemoData): Report[] {
  const begun = (athlete.competition?.seasons ?? []).filter(({ status }) => status !== 'PLANNED');
  if (demo.athletes < fullHistoryFrom) return lastSeasons(random, begun);
  return [...begun, null].flatMap((season): Report[] => [
    { season, source: 'PROVIDER' },
    ...(random.chance(0.35) ? [{ season, source: 'SELF_REPORTED' } as const] : []),
  ]);
}

const yearsPlayed = ({ age }: DemoAthlete): number => Math.min(15, Math.max(1, age - 15));

/** How many seasons a report tells of: a part of one, while it is played. */
function shareOf({ season }: Report, asOf: string, athlete: DemoAthlete): number {
  if (season === null) return yearsPlayed(athlete);
  const days = (Date.parse(asOf) - Date.parse(season.startDate)) / (Date.parse(season.endDate) - Date.parse(season.startDate));
  return Math.min(1, Math.max(0, days));
}

/** Returns the numbers of a season that somebody else than the athlete reports. */
function addReport(random: Random, athlete: DemoAthlete, demo: DemoData, report: Report, add: AddRow): SeasonMetrics[] {
  const { season, source } = report;
  const over = season?.status === 'FINISHED';
  const asOf = over ? season.endDate : demo.today;
  const eventCode = homeEvent(athlete);
  const { metrics, ...played } = generateSeason(random, athlete, { share: shareOf(report, asOf, athlete), eventCode });
  const values = Object.entries(metrics);
  if (values.length === 0) return [];
  const id = random.uuid();
  const reportedAt = `${asOf}T06:00:00.000Z`;
  const createdAt = over && athlete.createdAt < reportedAt ? reportedAt : athlete.createdAt;
  const facts = {
    sport: athlete.sport,
    scope: season === null ? 'CAREER' : 'SEASON',
    source,
    seasonId: season?.id ?? null,
    competitionId: season === null ? null : (athlete.competition?.id ?? null),
  };
  add('statistics', {
    id,
    accountId: demo.account.id,
    createdAt,
    updatedAt: createdAt,
    athleteId: athlete.id,
    ...facts,
    teamId: season === null ? null : (athlete.membership?.teamId ?? null),
    eventCode,
    ...played,
    metrics: JSON.stringify(values.map(([key, value]) => ({ key, value }))),
    verified: source === 'PROVIDER' && random.chance(0.4),
    asOf,
  });
  for (const [key, value] of values) add('statistic_metric', { statisticsId: id, key, value, ...facts });
  if (season === null || source === 'SELF_REPORTED') return [];
  const numbers = values.map(([key, value]) => ({ key, value }));
  const { sport, seasonId, competitionId } = facts;
  return [{ sport, seasonId, competitionId, eventCode, matchesPlayed: played.matchesPlayed, metrics: numbers, asOf }];
}

export function addStatistics(random: Random, athlete: DemoAthlete, demo: DemoData, add: AddRow): void {
  const seasons = generateReports(random, athlete, demo).flatMap((report) => addReport(random, athlete, demo, report, add));
  for (const rise of computeRises(seasons)) add('athlete_rise', { athleteId: athlete.id, ...rise });
}

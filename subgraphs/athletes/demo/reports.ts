/** Generates reported statistics of demo athletes: their last seasons, or in large data sets all seasons, careers and self-reported rows. */
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoSeason, DemoData } from '../../../schema/demo.ts';
import type { AddRow } from '../../runtime/area-seed.ts';
import { computeRises, type SeasonMetrics } from '../discovery/season-growth.ts';
import { homeEvent } from './marks.ts';
import { generateSeason } from './metrics.ts';

/** A report of a season, or of the career when the season is null. */
interface Report {
  readonly season: DemoSeason | null;
  readonly source: 'PROVIDER' | 'SELF_REPORTED';
}

/** Data sets with at least this many athletes, for measurements, have about five reports per athlete. Smaller ones are generated at every first start. */
const fullHistoryFrom = 100_000;

/** Up to two of the latest seasons. Older ones are less likely. */
function lastSeasons(random: Random, started: readonly DemoSeason[]): Report[] {
  const chances = [0.62, 0.8];
  return started
    .slice(-2)
    .filter((_, index, both) => random.chance(chances[index + 2 - both.length] ?? 0))
    .map((season) => ({ season, source: 'PROVIDER' }));
}

function generateReports(random: Random, athlete: DemoAthlete, demo: DemoData): Report[] {
  const started = (athlete.competition?.seasons ?? []).filter(({ status }) => status !== 'PLANNED');
  if (demo.athletes < fullHistoryFrom) return lastSeasons(random, started);
  return [...started, null].flatMap((season): Report[] => [
    { season, source: 'PROVIDER' },
    ...(random.chance(0.35) ? [{ season, source: 'SELF_REPORTED' } as const] : []),
  ]);
}

const yearsPlayed = ({ age }: DemoAthlete): number => Math.min(15, Math.max(1, age - 15));

/** The number of seasons that a report covers. A running season counts by its elapsed share. */
function shareOf({ season }: Report, asOf: string, athlete: DemoAthlete): number {
  if (season === null) return yearsPlayed(athlete);
  const days = (Date.parse(asOf) - Date.parse(season.startDate)) / (Date.parse(season.endDate) - Date.parse(season.startDate));
  return Math.min(1, Math.max(0, days));
}

/** The last covered day of a report, and the time when it was made. */
function datesOf({ season }: Report, athlete: DemoAthlete, demo: DemoData) {
  if (season?.status !== 'FINISHED') return { asOf: demo.today, createdAt: athlete.createdAt };
  const reportedAt = `${season.endDate}T06:00:00.000Z`;
  return { asOf: season.endDate, createdAt: athlete.createdAt < reportedAt ? reportedAt : athlete.createdAt };
}

/** The members that statistics and their metric rows share. */
function sharedMembers({ season, source }: Report, { sport, competition }: DemoAthlete) {
  if (season === null) return { sport, scope: 'CAREER', source, seasonId: null, competitionId: null };
  return { sport, scope: 'SEASON', source, seasonId: season.id, competitionId: competition?.id ?? null };
}

/** Adds a report. Returns the metrics of a season that a provider reports. */
function addReport(random: Random, athlete: DemoAthlete, demo: DemoData, report: Report, add: AddRow): SeasonMetrics[] {
  const { season, source } = report;
  const { asOf, createdAt } = datesOf(report, athlete, demo);
  const eventCode = homeEvent(athlete);
  const { metrics, ...played } = generateSeason(random, athlete, { share: shareOf(report, asOf, athlete), eventCode });
  const values = Object.entries(metrics).map(([key, value]) => ({ key, value }));
  if (values.length === 0) return [];
  const id = random.uuid();
  const shared = sharedMembers(report, athlete);
  add('statistics', {
    id,
    accountId: demo.account.id,
    createdAt,
    updatedAt: createdAt,
    athleteId: athlete.id,
    ...shared,
    teamId: season === null ? null : (athlete.membership?.teamId ?? null),
    eventCode,
    ...played,
    metrics: JSON.stringify(values),
    verified: source === 'PROVIDER' && random.chance(0.4),
    asOf,
  });
  for (const { key, value } of values) add('statistic_metric', { statisticsId: id, key, value, ...shared });
  if (season === null || source === 'SELF_REPORTED') return [];
  const { sport, seasonId, competitionId } = shared;
  return [{ sport, seasonId, competitionId, eventCode, matchesPlayed: played.matchesPlayed, metrics: values, asOf }];
}

export function addStatistics(random: Random, athlete: DemoAthlete, demo: DemoData, add: AddRow): void {
  const seasons = generateReports(random, athlete, demo).flatMap((report) => addReport(random, athlete, demo, report, add));
  for (const rise of computeRises(seasons)) add('athlete_rise', { athleteId: athlete.id, ...rise });
}

/** Generates reported statistics of demo athletes: the seasons of their matches, or in data sets for measurements all seasons, careers and self-reported rows. */
import type { Random } from '../../../platform/random.ts';
import {
  reportedSeasonsFrom,
  type DemoAthlete,
  type DemoCompetition,
  type DemoData,
  type DemoSeason,
} from '../../../schema/demo.ts';
import type { DemoPlayedSeason } from '../../../schema/demo-edition.ts';
import type { AddRow } from '../../runtime/area-seed.ts';
import { computeRises, type SeasonMetrics } from '../discovery/season-growth.ts';
import { homeEvent } from './marks.ts';
import { generateSeason } from './metrics.ts';

/** A report of a season, or of the career when the season is null. */
interface Report {
  readonly season: DemoSeason | null;
  readonly competition: DemoCompetition | null;
  readonly teamId: string | null;
  readonly eventCode: string | null;
  readonly source: 'PROVIDER' | 'SELF_REPORTED';
  /** What the matches determine; null for a report without matches. */
  readonly played: DemoPlayedSeason | null;
}

/** From this number of athletes, clubs are too many for the leagues; athletes of the others have a reported career. */
const careersFrom = 3_000;

function reportedSeasons(random: Random, athlete: DemoAthlete): Report[] {
  const { competition } = athlete;
  const started = (competition?.seasons ?? []).filter(({ status }) => status !== 'PLANNED');
  const shared = { teamId: athlete.membership?.teamId ?? null, eventCode: homeEvent(athlete), played: null };
  return [...started, null].flatMap((season): Report[] => {
    const of = season === null ? { ...shared, season, competition: null, teamId: null } : { ...shared, season, competition };
    return [{ ...of, source: 'PROVIDER' }, ...(random.chance(0.35) ? [{ ...of, source: 'SELF_REPORTED' } as const] : [])];
  });
}

function generateReports(random: Random, athlete: DemoAthlete, demo: DemoData): Report[] {
  if (demo.athletes >= reportedSeasonsFrom) return reportedSeasons(random, athlete);
  const played = demo.playedSeasons(athlete.id).map((each): Report => ({ ...each, source: 'PROVIDER', played: each }));
  if (played.length > 0 || demo.athletes < careersFrom) return played;
  const eventCode = homeEvent(athlete);
  return [{ season: null, competition: null, teamId: null, eventCode, source: 'PROVIDER', played: null }];
}

const yearsPlayed = ({ age }: DemoAthlete): number => Math.min(15, Math.max(1, age - 15));

/** The number of seasons that a report covers. A running season counts by its elapsed share. */
function shareOf({ season }: Report, asOf: string, athlete: DemoAthlete): number {
  if (season === null) return yearsPlayed(athlete);
  const days = (Date.parse(asOf) - Date.parse(season.startDate)) / (Date.parse(season.endDate) - Date.parse(season.startDate));
  return Math.min(1, Math.max(0, days));
}

/** The last covered day of a report, and the time when it was made. */
function datesOf({ season, played }: Report, athlete: DemoAthlete, demo: DemoData) {
  const asOf = played?.asOf ?? (season?.status === 'FINISHED' ? season.endDate : demo.today);
  if (season?.status !== 'FINISHED') return { asOf, createdAt: athlete.createdAt };
  const reportedAt = `${season.endDate}T06:00:00.000Z`;
  return { asOf, createdAt: athlete.createdAt < reportedAt ? reportedAt : athlete.createdAt };
}

/** The members that statistics and their metric rows share. */
function sharedMembers({ season, source, competition }: Report, { sport }: DemoAthlete) {
  if (season === null) return { sport, scope: 'CAREER', source, seasonId: null, competitionId: null };
  return { sport, scope: 'SEASON', source, seasonId: season.id, competitionId: competition?.id ?? null };
}

/** Adds a report. Returns the metrics of a season that a provider reports. */
function addReport(random: Random, athlete: DemoAthlete, demo: DemoData, report: Report, add: AddRow): SeasonMetrics[] {
  const { season, source, teamId, eventCode, played } = report;
  const { asOf, createdAt } = datesOf(report, athlete, demo);
  const { metrics, ...times } = generateSeason(random, athlete, { share: shareOf(report, asOf, athlete), eventCode, played });
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
    teamId,
    eventCode,
    ...times,
    metrics: JSON.stringify(values),
    verified: source === 'PROVIDER' && random.chance(0.4),
    asOf,
  });
  for (const { key, value } of values) add('statistic_metric', { statisticsId: id, key, value, ...shared });
  if (season === null || source === 'SELF_REPORTED') return [];
  const { sport, seasonId, competitionId } = shared;
  return [{ sport, seasonId, competitionId, eventCode, matchesPlayed: times.matchesPlayed, metrics: values, asOf }];
}

export function addStatistics(random: Random, athlete: DemoAthlete, demo: DemoData, add: AddRow): void {
  const seasons = generateReports(random, athlete, demo).flatMap((report) => addReport(random, athlete, demo, report, add));
  for (const rise of computeRises(seasons)) add('athlete_rise', { athleteId: athlete.id, ...rise });
}

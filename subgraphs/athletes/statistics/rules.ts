/** Validation rules of reported statistics. They need no database. */
import type { Violation } from '../../../schema/errors.ts';
import { metricsOf, type Sport } from '../../../schema/sports.ts';
import {
  unknownCompetitionViolation,
  unknownSeasonViolation,
  type CompetitionFacts,
  type SeasonFacts,
} from '../../clients/competition-facts.ts';
import { unknownTeamViolation, type TeamsById } from '../../clients/team-facts.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import type { MetricValueInput, ReportStatisticsInput } from '../generated/resolvers.ts';

type Violations = readonly (Violation | false | null)[];

/** Violations of the members of a report. */
export function statisticsViolations(input: ReportStatisticsInput): Violations {
  const keys = input.metrics.map((metric) => metric.key);
  return [
    input.scope === 'MATCH' && {
      pointer: '/scope',
      code: 'not_reportable',
      detail: 'Statistics of a match are computed from its result. Report SEASON or CAREER.',
    },
    input.scope === 'SEASON' &&
      !input.seasonId && {
        pointer: '/seasonId',
        code: 'required',
        detail: '`seasonId` is required when `scope` is SEASON.',
      },
    input.scope === 'CAREER' &&
      !!input.seasonId && {
        pointer: '/seasonId',
        code: 'not_for_scope',
        detail: '`seasonId` is not allowed when `scope` is CAREER.',
      },
    registryViolation('/eventCode', input.sport, 'event', input.eventCode),
    new Set(keys).size < keys.length && { pointer: '/metrics', code: 'duplicate', detail: 'List each metric only once.' },
    ...metricViolations(input.sport, input.metrics),
  ];
}

function metricViolations(sport: Sport, metrics: readonly MetricValueInput[]): Violations {
  const known = new Map<string, ReturnType<typeof metricsOf>[number]>(metricsOf(sport).map((row) => [row.key, row]));
  return metrics.flatMap(({ key, value }, index): Violations => {
    const row = known.get(key);
    if (!row) return [registryViolation(`/metrics/${index}/key`, sport, 'metric', key)];
    const pointer = `/metrics/${index}/value`;
    return [
      (value < row.min || value > row.max) && {
        pointer,
        code: 'out_of_range',
        detail: `${key} must be between ${row.min} and ${row.max} (${row.unit}).`,
      },
      row.valueType === 'INTEGER' &&
        !Number.isInteger(value) && { pointer, code: 'not_integer', detail: `${key} must be a whole number (${row.unit}).` },
    ];
  });
}

/** The resources of other areas that reports refer to, as far as the caller can read them. */
export interface ReportReferences {
  readonly seasons: ReadonlyMap<string, SeasonFacts>;
  readonly competitions: ReadonlyMap<string, CompetitionFacts>;
  readonly teams: TeamsById;
}

/** Violations of the season, the competition and the team of a report. */
export function referenceViolations(input: ReportStatisticsInput, references: ReportReferences): Violations {
  const { sport, seasonId, teamId } = input;
  const team = teamId ? references.teams.get(teamId) : undefined;
  return [
    ...(seasonId ? seasonViolations(input, references.seasons.get(seasonId)) : competitionViolations(input, references)),
    !!teamId && !team && unknownTeamViolation('/teamId'),
    !!team &&
      team.sport !== sport && { pointer: '/teamId', code: 'foreign_sport', detail: `The sport of this team is ${team.sport}.` },
  ];
}

function seasonViolations({ sport, competitionId }: ReportStatisticsInput, season: SeasonFacts | undefined): Violations {
  if (!season) return [unknownSeasonViolation('/seasonId')];
  return [
    season.sport !== sport && { pointer: '/sport', code: 'contradicts', detail: `The sport of this season is ${season.sport}.` },
    !!competitionId &&
      competitionId !== season.competitionId && {
        pointer: '/competitionId',
        code: 'contradicts',
        detail: 'The season belongs to another competition. Omit `competitionId`.',
      },
  ];
}

function competitionViolations({ sport, competitionId }: ReportStatisticsInput, { competitions }: ReportReferences): Violations {
  if (!competitionId) return [];
  const competition = competitions.get(competitionId);
  if (!competition) return [unknownCompetitionViolation('/competitionId')];
  return [
    competition.sport !== sport && {
      pointer: '/sport',
      code: 'contradicts',
      detail: `The sport of this competition is ${competition.sport}.`,
    },
  ];
}

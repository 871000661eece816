/** Parses the filter of rankings: exactly one kind of ranking, and only parameters of that kind. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { codesOf } from '../../../schema/sport-registry.ts';
import { suggestionFor } from '../../../schema/violations.ts';
import { courses, markListOf } from '../best-marks/rules.ts';
import type { Classification, CompetitionCategory, RankingFilter, RankingType, Sport } from '../generated/resolvers.ts';

/** The rankings of a season, contest or stage. Several ids are combined. */
export interface SeasonRequest {
  readonly kind: 'SEASON';
  readonly seasonId: string | null;
  readonly contestId: string | null;
  readonly stageId: string | null;
  /** Null: of all teams. */
  readonly teamIds: readonly string[] | null;
  readonly group: string | null;
  readonly type: RankingType;
  readonly classification: Classification | null;
  readonly asOf: string | null;
  readonly matchday: number | null;
  readonly live: boolean;
}

/** The ranking of a competition over its seasons. */
export interface RollingRequest {
  readonly kind: 'ROLLING';
  readonly competitionId: string;
  readonly asOf: string | null;
  readonly live: boolean;
}

/** The best marks of an event over all seasons. */
export interface MarksRequest {
  readonly kind: 'MARKS';
  readonly sport: Sport;
  readonly eventCode: string;
  readonly category: CompetitionCategory | null;
  readonly course: string | null;
}

export type RankingRequest = SeasonRequest | RollingRequest | MarksRequest;

type Parameter = keyof RankingFilter;

interface Kind {
  readonly kind: RankingRequest['kind'];
  readonly title: string;
  /** One of these selects the kind. */
  readonly selectors: readonly Parameter[];
  readonly options: readonly Parameter[];
}

const kinds: readonly Kind[] = [
  {
    kind: 'SEASON',
    title: 'rankings of a season, contest or stage',
    selectors: ['seasonId', 'contestId', 'stageId'],
    options: ['teamId', 'group', 'type', 'classification', 'asOf', 'matchday', 'live'],
  },
  {
    kind: 'ROLLING',
    title: 'the ranking of a competition over its seasons',
    selectors: ['competitionId'],
    options: ['asOf', 'live'],
  },
  {
    kind: 'MARKS',
    title: 'the best marks of an event',
    selectors: ['sport', 'eventCode'],
    options: ['discipline', 'category', 'course'],
  },
];

const parameters: ReadonlySet<string> = new Set(kinds.flatMap(({ selectors, options }) => [...selectors, ...options]));
const isParameter = (name: string): name is Parameter => parameters.has(name);

const violation = (parameter: Parameter, code: string, detail: string): Violation => ({ parameter, code, detail });

function rejectParameters(errors: readonly Violation[]): void {
  const [first] = errors;
  if (!first) return;
  const detail = errors.length === 1 ? first.detail : `${errors.length} parameters are invalid.`;
  throw new Problem('parameter_invalid', detail, { errors });
}

function marksViolations({ sport, eventCode, discipline, category, course }: RankingFilter): Violation[] {
  if (!sport) return [violation('sport', 'required', '`sport` is required with `eventCode`.')];
  if (!eventCode)
    return [violation('eventCode', 'required', '`eventCode` is required with `sport`. GET /api/v1/sports lists the events.')];
  const known = codesOf(sport, 'event');
  if (!known.includes(eventCode)) {
    return [
      violation('eventCode', 'unknown_event', `${eventCode} is not an event of ${sport}${suggestionFor(eventCode, known)}`),
    ];
  }
  const season = { id: '', sport, discipline: null, rankingRules: null, endDate: '', category: null };
  const list = markListOf(season, { id: '', eventCode, category: category ?? null, course: course ?? null, ageGroup: null });
  const violations: Violation[] = [];
  if (!list) {
    const detail = `${eventCode} has no best marks: relays and events on courses that differ are not compared. Set \`seasonId\` or \`contestId\` instead.`;
    violations.push(violation('eventCode', 'no_marks', detail));
  } else if (discipline && discipline !== list.discipline) {
    const detail = `${eventCode} is an event of the discipline ${list.discipline}. Remove \`discipline\`.`;
    violations.push(violation('discipline', 'contradiction', detail));
  }
  if (course && !courses.includes(course))
    violations.push(violation('course', 'unknown_course', `\`course\` must be one of ${courses.join(', ')}.`));
  return violations;
}

/** The kind that the filter selects. Throws Problem parameter_invalid (400) without a selector, and for parameters of other kinds. */
function kindOf(filter: RankingFilter): RankingRequest['kind'] {
  const isGiven = (parameter: Parameter): boolean => filter[parameter] !== undefined && filter[parameter] !== null;
  const selected = kinds.find(({ selectors }) => selectors.some(isGiven));
  if (!selected) {
    const detail =
      'The filter selects no ranking. Set `seasonId`, `contestId` or `stageId`; `competitionId` for a ranking over seasons; or `sport` and `eventCode` for best marks.';
    throw new Problem('parameter_invalid', detail, { errors: [violation('seasonId', 'required', detail)] });
  }
  const { kind, title, selectors, options } = selected;
  const foreign = Object.keys(filter)
    .filter(isParameter)
    .filter((parameter) => isGiven(parameter) && !selectors.includes(parameter) && !options.includes(parameter));
  rejectParameters(
    foreign.map((parameter) =>
      violation(
        parameter,
        'contradiction',
        `\`${parameter}\` does not apply to ${title}. Remove it, or request one ranking at a time.`,
      ),
    ),
  );
  return kind;
}

function seasonRequest(filter: RankingFilter): SeasonRequest {
  const { seasonId = null, contestId = null, stageId = null, group = null, type, classification = null } = filter;
  const { asOf = null, matchday = null, live, teamId } = filter;
  if (asOf !== null && matchday !== null)
    rejectParameters([violation('matchday', 'contradiction', 'Set either `asOf` or `matchday`, not both.')]);
  if (group !== null && type === 'OVERALL')
    rejectParameters([violation('group', 'contradiction', '`group` does not apply to the table over all groups. Remove it.')]);
  const teamIds = teamId ? [...teamId].sort() : null;
  const scope = { seasonId, contestId, stageId, teamIds, group, classification, asOf, matchday };
  return { kind: 'SEASON', ...scope, type: type ?? 'TOTAL', live: live ?? false };
}

/**
 * Parses the filter. Throws Problem parameter_invalid (400) where it selects no ranking or several kinds of rankings, where a parameter does not
 * apply to the kind, and for an event without best marks.
 */
export function readRankingRequest(filter: RankingFilter): RankingRequest {
  const kind = kindOf(filter);
  const { competitionId, sport, eventCode, asOf = null, live, category = null, course = null } = filter;
  if (kind === 'ROLLING') return { kind, competitionId: competitionId ?? '', asOf, live: live ?? false };
  if (kind === 'MARKS') {
    rejectParameters(marksViolations(filter));
    if (sport && eventCode) return { kind, sport, eventCode, category, course };
  }
  return seasonRequest(filter);
}

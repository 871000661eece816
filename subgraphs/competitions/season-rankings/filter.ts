/** Which ranking a reader asks for: exactly one kind, and nothing that this kind does not know. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { suggestionFor } from '../../../schema/violations.ts';
import { codesOf } from '../../../schema/sport-registry.ts';
import { courses, markListOf } from '../best-marks/rules.ts';
import type { Classification, CompetitionCategory, RankingFilter, RankingType, Sport } from '../resolvers.generated.ts';

/** The rankings of a season, contest or stage; those that are named all hold. */
export interface SeasonRequest {
  readonly kind: 'SEASON';
  readonly seasonId: string | null;
  readonly contestId: string | null;
  readonly stageId: string | null;
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

const kinds = {
  SEASON: ['seasonId', 'contestId', 'stageId'],
  ROLLING: ['competitionId'],
  MARKS: ['sport', 'eventCode'],
} as const satisfies Record<RankingRequest['kind'], readonly Parameter[]>;

/** What each kind knows besides. */
const further: Readonly<Record<RankingRequest['kind'], readonly Parameter[]>> = {
  SEASON: ['group', 'type', 'classification', 'asOf', 'matchday', 'live'],
  ROLLING: ['asOf', 'live'],
  MARKS: ['discipline', 'category', 'course'],
};

const titles: Readonly<Record<RankingRequest['kind'], string>> = {
  SEASON: 'a ranking of a season, contest or stage',
  ROLLING: 'a ranking of a competition over its seasons',
  MARKS: 'the best marks of an event',
};

const violation = (parameter: Parameter, code: string, detail: string): Violation => ({ parameter, code, detail });

function refuseParameters(violations: readonly Violation[]): void {
  const [first] = violations;
  if (!first) return;
  throw new Problem(
    'parameter_invalid',
    violations.length === 1 ? first.detail : `${violations.length} parameters are not acceptable.`,
    {
      errors: violations,
    },
  );
}

/** What is wrong with a request for the best marks of an event. */
function marksViolations({ sport, eventCode, discipline, category, course }: RankingFilter): Violation[] {
  if (!sport) return [violation('sport', 'required', 'Say which sport the event is of.')];
  if (!eventCode) return [violation('eventCode', 'required', 'Say which event: its code, as GET /api/v1/sports names it.')];
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
    const detail = `${eventCode} has no best marks: relays have none, nor events whose courses differ. Name a seasonId or contestId.`;
    violations.push(violation('eventCode', 'no_marks', detail));
  } else if (discipline && discipline !== list.discipline) {
    violations.push(
      violation('discipline', 'contradiction', `${eventCode} is an event of ${list.discipline}: leave the discipline out.`),
    );
  }
  if (course && !courses.includes(course))
    violations.push(violation('course', 'unknown_course', `Best marks are told apart by ${courses.join(' and ')} only.`));
  return violations;
}

/**
 * Reads the filter. Throws Problem parameter_invalid (400) where nothing is named, where several kinds of rankings are, where a parameter says
 * nothing about the kind that is, and for an event that has no best marks.
 */
export function readRankingRequest(filter: RankingFilter): RankingRequest {
  const given = (parameter: Parameter): boolean => filter[parameter] !== undefined && filter[parameter] !== null;
  const named = (Object.keys(kinds) as RankingRequest['kind'][]).filter((kind) => kinds[kind].some(given));
  const [kind] = named;
  if (!kind) {
    const detail =
      'Say which ranking: name a seasonId, contestId or stageId; a competitionId for one that rolls over seasons; or sport and eventCode for best marks.';
    throw new Problem('parameter_invalid', detail, { errors: [violation('seasonId', 'required', detail)] });
  }
  const foreign = (Object.keys(filter) as Parameter[]).filter(
    (parameter) =>
      given(parameter) && !(kinds[kind] as readonly Parameter[]).includes(parameter) && !further[kind].includes(parameter),
  );
  refuseParameters(
    foreign.map((parameter) => {
      const detail = `${parameter} says nothing of ${titles[kind]}: leave it out, or ask for one ranking at a time.`;
      return violation(parameter, 'contradiction', detail);
    }),
  );
  const { asOf = null, live, competitionId, sport, eventCode, category = null, course = null } = filter;
  if (kind === 'ROLLING') return { kind, competitionId: competitionId ?? '', asOf, live: live ?? false };
  if (kind === 'MARKS') {
    refuseParameters(marksViolations(filter));
    if (sport && eventCode) return { kind, sport, eventCode, category, course };
  }
  const {
    seasonId = null,
    contestId = null,
    stageId = null,
    group = null,
    type,
    classification = null,
    matchday = null,
  } = filter;
  if (asOf !== null && matchday !== null)
    refuseParameters([violation('matchday', 'contradiction', 'Give asOf or matchday: a table stands as of one of them.')]);
  const of = { seasonId, contestId, stageId, group, classification, asOf, matchday };
  return { kind: 'SEASON', ...of, type: type ?? 'TOTAL', live: live ?? false };
}

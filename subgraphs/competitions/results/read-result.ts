/** Reads a result: what is wrong with it, and all that follows from what was given. */
import type { Violation } from '../../../schema/errors.ts';
import type { TennisScore } from '../rankings/tennis-score.ts';
import type { ParticipantResultInput, ResultMethod } from '../resolvers.generated.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';
import { scoredInSets, type Violations, type GivenResult, type MatchFacts, type Pair, type WholeResult } from './facts.ts';
import { markOf, withPlaces } from './marks.ts';
import { outcomesOf, type Circumstances } from './outcomes.ts';
import { periodViolations, readScoreText, scoresOfPeriods, sideOfTennis } from './set-scores.ts';

/** Judges and referees of combat sports end bouts in ways that no other sport knows. */
const combatMethods: readonly ResultMethod[] = [
  'KO_TKO',
  'SUBMISSION',
  'DECISION_UNANIMOUS',
  'DECISION_SPLIT',
  'DECISION_MAJORITY',
];

/** These break a match off: somebody wins it, whatever the score was. */
const breakingMethods: readonly ResultMethod[] = ['KO_TKO', 'SUBMISSION', 'WALKOVER', 'RETIREMENT', 'DISQUALIFICATION'];

/** As the score of a match may be (`ParticipantResultInput.score`): sums over a season stay within an Int of GraphQL. */
const scoreMax = 100_000;

function partOf(given: ParticipantResultInput, mark: ParticipantPart['mark']): ParticipantPart {
  return {
    participantId: given.participantId,
    outcome: given.outcome ?? null,
    rank: given.rank ?? null,
    score: given.score ?? null,
    shootoutScore: given.shootoutScore ?? null,
    periodScores: given.periodScores ?? [],
    tieBreakScores: (given.tieBreakScores ?? []).map((points) => points ?? null),
    tries: given.tries ?? null,
    forfeit: given.forfeit ?? false,
    mark,
    splits: given.splits ?? [],
    countback: given.countback ?? [],
    reactionTimeMs: given.reactionTimeMs ?? null,
    windMmPerS: given.windMmPerS ?? null,
    invalidResultMark: given.invalidResultMark ?? null,
    bonusMs: given.bonusMs ?? null,
    penaltyMs: given.penaltyMs ?? null,
    points: given.points ?? null,
    bonusPoints: (given.bonusPoints ?? []).map(({ type, points }) => ({ type, points })),
    qualified: given.qualified ?? null,
    vacated: given.vacated ?? false,
  };
}

/** What is wrong with who is named: entries of the match, each once; of two sides both. */
function whoViolations({ participants }: GivenResult, { participantIds }: MatchFacts): Violations {
  const ids = participants.map(({ participantId }) => participantId);
  const missing = participantIds.length === 2 ? participantIds.filter((id) => id !== null && !ids.includes(id)) : [];
  return [
    ...ids.map((id, index) => {
      const pointer = `/participants/${index}/participantId`;
      if (!participantIds.includes(id))
        return { pointer, code: 'not_in_match', detail: 'It does not take part in this match: add it to the match first.' };
      return ids.indexOf(id) < index && { pointer, code: 'duplicate', detail: 'A participant is named once.' };
    }),
    ...missing.map((id) => ({ pointer: '/participants', code: 'required', detail: `Say what the other side did, too: ${id}.` })),
  ];
}

function sportViolations({ participants }: GivenResult, { sport }: MatchFacts, method: ResultMethod | undefined): Violations {
  return [
    ...participants.flatMap(({ tries, periodScores, tieBreakScores }, index) => [
      (tieBreakScores ?? []).length > 0 &&
        (sport !== 'TENNIS' || tieBreakScores?.length !== periodScores?.length) && {
          pointer: `/participants/${index}/tieBreakScores`,
          code: sport === 'TENNIS' ? 'sets_differ' : 'not_in_sport',
          detail: 'Tie-breaks are those of the sets of a tennis match: one entry for each of periodScores, null without one.',
        },
      typeof tries === 'number' &&
        sport !== 'RUGBY' && {
          pointer: `/participants/${index}/tries`,
          code: 'not_in_sport',
          detail: `There are no tries in ${sport}.`,
        },
      (periodScores ?? []).some((score) => score < 0 || score > scoreMax) && {
        pointer: `/participants/${index}/periodScores`,
        code: 'out_of_range',
        detail: `A score of a period lies between 0 and ${scoreMax}.`,
      },
    ]),
    method !== undefined &&
      combatMethods.includes(method) &&
      sport !== 'COMBAT' && {
        pointer: '/endedBy/method',
        code: 'not_in_sport',
        detail: `A match of ${sport} does not end by ${method}.`,
      },
  ];
}

interface ReadTennis {
  readonly score: TennisScore | null;
  readonly violations: Violations;
}

const noTennis: ReadTennis = { score: null, violations: [] };

/** The score as it is written, in place of scores by participant. */
function tennisOf({ scoreText, participants }: GivenResult, { sport, bestOf }: MatchFacts): ReadTennis {
  if (!scoreText) return noTennis;
  const violation = (code: string, detail: string): ReadTennis => ({
    score: null,
    violations: [{ pointer: '/scoreText', code, detail }],
  });
  if (sport !== 'TENNIS')
    return violation('not_in_sport', `Scores of ${sport} are given by participant: score and periodScores.`);
  if (participants.length !== 2) return violation('two_sides', 'A score of tennis is one of two sides: name both participants.');
  if (
    participants.some(
      ({ score, periodScores, tieBreakScores }) =>
        typeof score === 'number' || (periodScores ?? []).length + (tieBreakScores ?? []).length > 0,
    )
  )
    return violation('one_of', 'Give the score as text, or by participant.');
  const { value, violations } = readScoreText(scoreText, bestOf);
  return { score: value, violations: violations.map((each) => ({ ...each, pointer: '/scoreText' })) };
}

/** Sets, games and the winner that the text tells are as good as given by participant. */
function withTennis(parts: readonly ParticipantPart[], score: TennisScore | null): readonly ParticipantPart[] {
  if (!score) return parts;
  return parts.map((part, index) => {
    const side = index === 0 ? 0 : 1;
    const won = score.winner === null ? null : score.winner === side ? ('WIN' as const) : ('LOSS' as const);
    return { ...part, ...sideOfTennis(score, side), outcome: part.outcome ?? won };
  });
}

function endingOf(
  { endedBy }: GivenResult,
  written: TennisScore['endedBy'],
): { ending: EndingValue | null; violations: Violations } {
  const method = endedBy?.method ?? written;
  const ending = method ? { method, period: endedBy?.period ?? null, clockMs: endedBy?.clockMs ?? null } : null;
  const differ = !!endedBy && !!written && endedBy.method !== written;
  const detail = `The score says ${written ?? ''}, endedBy ${method ?? ''}.`;
  return { ending, violations: [differ && { pointer: '/endedBy/method', code: 'contradiction', detail }] };
}

/** What two sides did to each other. */
function versus(
  [first, second]: Pair<ParticipantPart>,
  facts: MatchFacts,
  ending: EndingValue | null,
  duration: WholeResult['duration'],
): { parts: Pair<ParticipantPart>; violations: Violations } {
  const inSets = scoredInSets(facts.sport);
  const broken = ending !== null || first.forfeit || second.forfeit;
  const unscored = first.score === null && second.score === null;
  const scores = unscored ? scoresOfPeriods([first.periodScores, second.periodScores], inSets, ending !== null) : null;
  const judged = facts.sport === 'COMBAT';
  const sides = [first, second].map((part, index) => ({
    ...part,
    score: part.score ?? (judged ? null : (scores?.[index] ?? null)),
  }));
  const [one = first, other = second] = sides;
  const circumstances: Circumstances = {
    duration,
    ended: ending !== null,
    brokenOff: ending !== null && breakingMethods.includes(ending.method),
    judged,
    inTie: facts.inTie,
    raced: sides.some(({ mark, rank, invalidResultMark }) => mark !== null || rank !== null || invalidResultMark !== null),
  };
  const { outcomes, violations } = outcomesOf([one, other], circumstances);
  // Who does not come forfeits, whether that is said or not.
  const absent = (index: 0 | 1): boolean => ending?.method === 'WALKOVER' && outcomes[index] === 'LOSS';
  const drawn = circumstances.brokenOff && outcomes[0] === 'DRAW';
  const detail = `A match that ends by ${ending?.method ?? ''} has a winner: say who with outcome.`;
  return {
    parts: [
      { ...one, outcome: outcomes[0], forfeit: one.forfeit || absent(0) },
      { ...other, outcome: outcomes[1], forfeit: other.forfeit || absent(1) },
    ],
    violations: [
      ...violations,
      ...periodViolations(facts, [one, other], broken),
      ...sides.map(
        ({ score }, index) =>
          (score ?? 0) > scoreMax && {
            pointer: `/participants/${index}/periodScores`,
            code: 'out_of_range',
            detail: `They add up to ${String(score)}, and a score is at most ${scoreMax}.`,
          },
      ),
      drawn && { pointer: '/endedBy/method', code: 'no_winner', detail },
    ],
  };
}

function raceViolations(parts: readonly ParticipantPart[], ending: EndingValue | null): Violations {
  return [
    ...parts.map(
      ({ outcome }, index) =>
        outcome !== null && {
          pointer: `/participants/${index}/outcome`,
          code: 'two_sides',
          detail: 'Nobody wins against one other here: give places or marks.',
        },
    ),
    ending !== null &&
      ending.method !== 'AWARDED' && {
        pointer: '/endedBy/method',
        code: 'two_sides',
        detail: 'With more than two participants each has an invalidResultMark of its own: DNS, DNF, DSQ …',
      },
  ];
}

/** Reads what was given for a match of these facts. The parts stand in the order of the programme; faults point below `pointer`. */
export function readResult(
  given: GivenResult,
  facts: MatchFacts,
  pointer = '',
): { whole: WholeResult; violations: readonly Violation[] } {
  const duration = given.duration ?? 'REGULAR';
  const tennis = tennisOf(given, facts);
  const { ending, violations: endingViolations } = endingOf(given, tennis.score?.endedBy ?? null);
  const read = given.participants.map((each, index) => markOf(each, facts, `/participants/${index}`));
  const parts = withTennis(
    given.participants.map((each, index) => partOf(each, read[index]?.mark ?? null)),
    tennis.score,
  );
  const [first, second] = parts;
  const duel = facts.participantIds.length === 2 && parts.length === 2 && first && second;
  const judged = duel
    ? versus([first, second], facts, ending, duration)
    : { parts, violations: facts.participantIds.length > 2 ? raceViolations(parts, ending) : [] };
  const order = (part: ParticipantPart): number => facts.participantIds.indexOf(part.participantId);
  const whole = {
    duration,
    endedBy: ending,
    parts: withPlaces(judged.parts, facts).toSorted((one, other) => order(one) - order(other)),
  };
  const violations = [
    ...whoViolations(given, facts),
    ...sportViolations(given, facts, given.endedBy?.method),
    ...tennis.violations,
    ...endingViolations,
    ...read.flatMap((each) => each.violations),
    // What a text that cannot be read would have said is not missed besides.
    ...(tennis.violations.length > 0 ? [] : judged.violations),
  ];
  return {
    whole,
    violations: violations.flatMap((violation) =>
      violation ? [{ ...violation, pointer: `${pointer}${violation.pointer ?? ''}` }] : [],
    ),
  };
}

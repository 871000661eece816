/** Reads a result from an input: validates it and derives its outcomes, scores and ranks. */
import type { Violation } from '../../../schema/errors.ts';
import type { TennisScore } from '../rankings/tennis-score.ts';
import type { ParticipantResultInput, ResultMethod } from '../generated/resolvers.ts';
import type { CompleteResult, GivenResult, MatchFacts, Pair, Violations } from './facts.ts';
import { markOf, withPlaces } from './marks.ts';
import { outcomesOf, type Circumstances } from './outcomes.ts';
import { durationViolations } from './official.ts';
import { partOf } from './participant-parts.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';
import { withAttempts } from './attempts.ts';
import { roundViolations, scorecardViolations } from './scorecards.ts';
import { raceViolations } from './race-rules.ts';
import { shareViolations, statisticViolations } from './statistics.ts';
import { periodViolations, readScoreText, scoresOf, sideOfTennis } from './set-scores.ts';

/** Endings that exist in combat sports only. */
const combatMethods: readonly ResultMethod[] = [
  'KO_TKO',
  'SUBMISSION',
  'DECISION_UNANIMOUS',
  'DECISION_SPLIT',
  'DECISION_MAJORITY',
];

/** Endings that stop a match with a winner, whatever the score. */
const stoppingMethods: readonly ResultMethod[] = ['KO_TKO', 'SUBMISSION', 'WALKOVER', 'RETIREMENT', 'DISQUALIFICATION'];

/** Maximum of `ParticipantResultInput.score`. With it, sums over a season stay within a GraphQL Int. */
const scoreMax = 100_000;

/** Every participant must be an entry of the match and be listed once. A match of two sides requires both. */
function participantViolations({ participants }: GivenResult, { participantIds }: MatchFacts): Violations {
  const ids = participants.map(({ participantId }) => participantId);
  const missing = participantIds.length === 2 ? participantIds.filter((id) => id !== null && !ids.includes(id)) : [];
  return [
    ...ids.map((id, index) => {
      const pointer = `/participants/${index}/participantId`;
      if (!participantIds.includes(id))
        return {
          pointer,
          code: 'not_in_match',
          detail: 'The participant is not entered in this match. Add it to the match first.',
        };
      return ids.indexOf(id) < index && { pointer, code: 'duplicate', detail: 'The participant is already in the list.' };
    }),
    ...missing.map((id) => ({
      pointer: '/participants',
      code: 'required',
      detail: `The result must contain both sides. The participant ${id} is missing.`,
    })),
  ];
}

const tieBreakViolation = ({ periodScores, tieBreakScores }: ParticipantResultInput, sport: MatchFacts['sport'], index: number) =>
  (tieBreakScores ?? []).length > 0 &&
  (sport !== 'TENNIS' || tieBreakScores?.length !== periodScores?.length) && {
    pointer: `/participants/${index}/tieBreakScores`,
    code: sport === 'TENNIS' ? 'sets_differ' : 'not_in_sport',
    detail:
      '`tieBreakScores` is for tennis. It must have one entry for each of `periodScores`, null for a set without a tie-break.',
  };

function sportViolations({ participants }: GivenResult, { sport }: MatchFacts, method: ResultMethod | undefined): Violations {
  return [
    ...participants.flatMap((participant, index) => [
      tieBreakViolation(participant, sport, index),
      ...statisticViolations(participant, sport, `/participants/${index}`),
      typeof participant.tries === 'number' &&
        sport !== 'RUGBY' && {
          pointer: `/participants/${index}/tries`,
          code: 'not_in_sport',
          detail: `The sport ${sport} has no tries. Remove \`tries\`.`,
        },
      (participant.periodScores ?? []).some((score) => score < 0 || score > scoreMax) && {
        pointer: `/participants/${index}/periodScores`,
        code: 'out_of_range',
        detail: `Period scores must be between 0 and ${scoreMax}.`,
      },
    ]),
    method !== undefined &&
      combatMethods.includes(method) &&
      sport !== 'COMBAT' && {
        pointer: '/endedBy/method',
        code: 'not_in_sport',
        detail: `The method ${method} does not exist in ${sport}.`,
      },
  ];
}

interface TennisText {
  readonly score: TennisScore | null;
  readonly violations: Violations;
}

const noTennisText: TennisText = { score: null, violations: [] };

/** The score from `scoreText`, which replaces the scores by participant. */
function readTennisText({ scoreText, participants, endedBy }: GivenResult, { sport, bestOf }: MatchFacts): TennisText {
  if (!scoreText) return noTennisText;
  const violation = (code: string, detail: string): TennisText => ({
    score: null,
    violations: [{ pointer: '/scoreText', code, detail }],
  });
  if (sport !== 'TENNIS')
    return violation('not_in_sport', `\`scoreText\` is for tennis. In ${sport}, set \`score\` and \`periodScores\`.`);
  if (participants.length !== 2) return violation('two_sides', '`scoreText` requires exactly two participants.');
  if (
    participants.some(
      ({ score, periodScores, tieBreakScores }) =>
        typeof score === 'number' || (periodScores ?? []).length + (tieBreakScores ?? []).length > 0,
    )
  )
    return violation('one_of', 'Set either `scoreText`, or scores by participant.');
  const { value, violations } = readScoreText(scoreText, bestOf, endedBy?.method);
  return { score: value, violations: violations.map((each) => ({ ...each, pointer: '/scoreText' })) };
}

/** Adds the sets, games and winner of `scoreText` to the parts. */
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
  textMethod: TennisScore['endedBy'],
): { ending: EndingValue | null; violations: Violations } {
  const method = endedBy?.method ?? textMethod;
  const ending = method ? { method, period: endedBy?.period ?? null, clockMs: endedBy?.clockMs ?? null } : null;
  const differ = !!endedBy && !!textMethod && endedBy.method !== textMethod;
  const detail = `\`scoreText\` ends with ${textMethod ?? ''}, but \`endedBy\` has the method ${method ?? ''}.`;
  return { ending, violations: [differ && { pointer: '/endedBy/method', code: 'contradiction', detail }] };
}

/** The result of a match of two sides. */
function versus(
  [first, second]: Pair<ParticipantPart>,
  facts: MatchFacts,
  ending: EndingValue | null,
  duration: CompleteResult['duration'],
): { parts: Pair<ParticipantPart>; violations: Violations } {
  const irregular = ending !== null || first.forfeit || second.forfeit;
  const judged = facts.sport === 'COMBAT';
  const scores = scoresOf([first, second], facts, ending !== null);
  const sides = [first, second].map((part, index) => ({ ...part, score: scores[index] ?? null }));
  const [one = first, other = second] = sides;
  const circumstances: Circumstances = {
    duration,
    ended: ending !== null,
    stopped: ending !== null && stoppingMethods.includes(ending.method),
    judged,
    inTie: facts.inTie,
    raced: sides.some(({ mark, rank, invalidResultMark }) => mark !== null || rank !== null || invalidResultMark !== null),
  };
  const { outcomes, violations } = outcomesOf([one, other], circumstances);
  // A side that loses by walkover forfeits.
  const absent = (index: 0 | 1): boolean => ending?.method === 'WALKOVER' && outcomes[index] === 'LOSS';
  const drawn = circumstances.stopped && outcomes[0] === 'DRAW';
  const detail = `A match that ends by ${ending?.method ?? ''} has a winner. Set \`outcome\`.`;
  return {
    parts: [
      { ...one, outcome: outcomes[0], forfeit: one.forfeit || absent(0) },
      { ...other, outcome: outcomes[1], forfeit: other.forfeit || absent(1) },
    ],
    violations: [
      ...violations,
      ...periodViolations(facts, [one, other], irregular),
      ...scorecardViolations([first, second], facts.sport, outcomes, ending?.method ?? null),
      ...roundViolations(ending, facts),
      ...shareViolations([first, second]),
      ...sides.map(
        ({ score }, index) =>
          (score ?? 0) > scoreMax && {
            pointer: `/participants/${index}/periodScores`,
            code: 'out_of_range',
            detail: `The period scores add up to ${String(score)}. The maximum is ${scoreMax}.`,
          },
      ),
      drawn && { pointer: '/endedBy/method', code: 'no_winner', detail },
    ],
  };
}

/** Reads the result of a match. The parts are in program order. `pointer` is the prefix of all violations. */
export function readResult(
  given: GivenResult,
  facts: MatchFacts,
  pointer = '',
): { result: CompleteResult; violations: readonly Violation[] } {
  const duration = given.duration ?? facts.reached ?? 'REGULAR';
  const tennis = readTennisText(given, facts);
  const { ending, violations: endingViolations } = endingOf(given, tennis.score?.endedBy ?? null);
  const attempted = given.participants.map((each, index) => withAttempts(each, facts, `/participants/${index}`));
  const read = attempted.map((each, index) => markOf(each.given, facts, `/participants/${index}`));
  const parts = withTennis(
    attempted.map((each, index) => partOf(each.given, read[index]?.mark ?? null)),
    tennis.score,
  );
  const [first, second] = parts;
  const duel = facts.participantIds.length === 2 && parts.length === 2 && first && second;
  const judged = duel
    ? versus([first, second], facts, ending, duration)
    : { parts, violations: facts.participantIds.length > 2 ? raceViolations(parts, ending) : [] };
  const order = (part: ParticipantPart): number => facts.participantIds.indexOf(part.participantId);
  const result = {
    duration,
    endedBy: ending,
    parts: withPlaces(judged.parts, facts).toSorted((one, other) => order(one) - order(other)),
  };
  const violations = [
    ...participantViolations(given, facts),
    ...sportViolations(given, facts, given.endedBy?.method),
    ...tennis.violations,
    ...endingViolations,
    ...durationViolations(duration, facts),
    ...attempted.flatMap((each) => each.violations),
    ...read.flatMap((each) => each.violations),
    // Without a readable text there are no scores to validate.
    ...(tennis.violations.length > 0 ? [] : judged.violations),
  ];
  return {
    result,
    violations: violations.flatMap((violation) =>
      violation ? [{ ...violation, pointer: `${pointer}${violation.pointer ?? ''}` }] : [],
    ),
  };
}

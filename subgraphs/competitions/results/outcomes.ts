/** Outcomes of two sides: as they are given, or made from scores, a shoot-out or a forfeit; and what contradicts them. */
import type { MatchDuration, MatchOutcome } from '../resolvers.generated.ts';
import type { Violations, Pair } from './facts.ts';

export interface Side {
  readonly outcome: MatchOutcome | null;
  readonly score: number | null;
  readonly shootoutScore: number | null;
  readonly forfeit: boolean;
}

export interface Circumstances {
  readonly duration: MatchDuration;
  /** It was not played to its end, or judges or an official decided: the score need not agree. */
  readonly ended: boolean;
  /** It was broken off with somebody winning: the score does not tell who. */
  readonly brokenOff: boolean;
  /** Judges decide between equal scores, as in combat sports. */
  readonly judged: boolean;
  readonly inTie: boolean;
  /** Marks or places say it, and nobody wins or loses. */
  readonly raced: boolean;
}

type Outcomes = Pair<MatchOutcome | null>;

const opposite: Readonly<Record<MatchOutcome, MatchOutcome>> = {
  WIN: 'LOSS',
  LOSS: 'WIN',
  DRAW: 'DRAW',
  NO_CONTEST: 'NO_CONTEST',
};

/** Of the greater number; null where they are level. */
function byNumber(one: number, other: number): Outcomes {
  return one === other ? ['DRAW', 'DRAW'] : one > other ? ['WIN', 'LOSS'] : ['LOSS', 'WIN'];
}

/** What was said of one side says it of the other. */
function stated([one, other]: Pair<Side>): Outcomes {
  if (one.outcome || other.outcome) {
    const following = (side: Side, of: MatchOutcome): MatchOutcome => (of === 'LOSS' && side.forfeit ? 'LOSS' : opposite[of]);
    return [
      one.outcome ?? (other.outcome && following(one, other.outcome)),
      other.outcome ?? (one.outcome && following(other, one.outcome)),
    ];
  }
  if (!one.forfeit && !other.forfeit) return [null, null];
  return [one.forfeit ? 'LOSS' : 'WIN', other.forfeit ? 'LOSS' : 'WIN'];
}

/** What the scores say: a shoot-out decides a drawn score, where there was one. */
function played([one, other]: Pair<Side>, { duration, brokenOff }: Circumstances): Outcomes {
  if (one.score === null || other.score === null || brokenOff) return [null, null];
  const drawn = one.score === other.score && duration === 'PENALTY_SHOOTOUT';
  if (drawn && one.shootoutScore !== null && other.shootoutScore !== null)
    return byNumber(one.shootoutScore, other.shootoutScore);
  return byNumber(one.score, other.score);
}

const both = (sides: Pair<Side>, test: (side: Side) => boolean): boolean => sides.every(test);

function shootoutViolations(sides: Pair<Side>, { duration, inTie }: Circumstances): Violations {
  const [one, other] = sides;
  const pointer = '/participants/0/shootoutScore';
  const given = sides.filter(({ shootoutScore }) => shootoutScore !== null).length;
  if (given === 0) return [];
  const detail = (text: string) => ({ pointer, detail: text });
  return [
    duration !== 'PENALTY_SHOOTOUT' && {
      code: 'no_shootout',
      ...detail('A score of a shoot-out needs the duration PENALTY_SHOOTOUT.'),
    },
    given === 1 && { code: 'required', ...detail('Give the score of the shoot-out for both sides.') },
    given === 2 &&
      one.shootoutScore === other.shootoutScore && {
        code: 'shootout_level',
        ...detail('A shoot-out has a winner: its scores differ.'),
      },
    !inTie &&
      both(sides, ({ score }) => score !== null) &&
      one.score !== other.score && {
        code: 'not_drawn',
        ...detail('A shoot-out follows a drawn score; after a match of a tie, name its tieId.'),
      },
  ];
}

function pairViolations(sides: Pair<Side>, [one, other]: Outcomes, ended: boolean): Violations {
  if (one === null || other === null) return [];
  const bothLost = one === 'LOSS' && other === 'LOSS' && (ended || both(sides, ({ forfeit }) => forfeit));
  return [
    opposite[one] !== other &&
      !bothLost && {
        pointer: '/participants/1/outcome',
        code: 'contradiction',
        detail: `One side cannot have ${one} and the other ${other}.`,
      },
    ...sides.map(
      ({ forfeit }, index) =>
        forfeit &&
        ['WIN', 'DRAW'].includes([one, other][index] ?? '') && {
          pointer: `/participants/${index}/forfeit`,
          code: 'contradiction',
          detail: 'A side that forfeits loses.',
        },
    ),
  ];
}

/** A stated outcome against the score: only where the match was not played to its end, or others than the score decide. */
function scoreViolations(
  sides: Pair<Side>,
  given: Outcomes,
  byScore: Outcomes,
  { ended, judged, duration }: Circumstances,
): Violations {
  const [one, other] = sides;
  if (given[0] === null || byScore[0] === null || given[0] === byScore[0] || given[0] === 'NO_CONTEST') return [];
  const excused = ended || sides.some(({ forfeit }) => forfeit);
  const level = one.score === other.score;
  // An organizer may count a match as drawn whatever the shoot-out said.
  if (excused || (judged && level) || (duration === 'PENALTY_SHOOTOUT' && level && given[0] === 'DRAW')) return [];
  return [
    {
      pointer: '/participants/0/outcome',
      code: 'contradicts_score',
      detail: `${given[0]} contradicts the score ${one.score}-${other.score}: say how it ended with endedBy, or who forfeited.`,
    },
  ];
}

/**
 * The outcomes of both sides, in their order, and what is wrong with what was given; faults point at the sides as participants 0 and 1.
 * Null outcomes where marks or places decide.
 */
export function outcomesOf(sides: Pair<Side>, circumstances: Circumstances): { outcomes: Outcomes; violations: Violations } {
  const given = stated(sides);
  const byScore = played(sides, circumstances);
  const outcomes = given[0] === null ? byScore : given;
  const scored = sides.filter(({ score }) => score !== null).length;
  const unlike = pairViolations(sides, given, circumstances.ended).filter((violation) => !!violation);
  return {
    outcomes,
    violations: [
      scored === 1 && {
        pointer: `/participants/${sides[0].score === null ? 0 : 1}/score`,
        code: 'required',
        detail: 'Give the score of both sides.',
      },
      outcomes[0] === null &&
        scored !== 1 &&
        !circumstances.raced && {
          pointer: '/participants/0/outcome',
          code: 'required',
          detail: circumstances.brokenOff
            ? 'Say who won: the score of a match that was broken off does not tell.'
            : 'Give the scores of both sides, or who won.',
        },
      ...shootoutViolations(sides, circumstances),
      ...(unlike.length > 0 ? unlike : scoreViolations(sides, given, byScore, circumstances)),
    ],
  };
}

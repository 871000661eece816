/** Outcomes of two sides: given, or derived from scores, a shoot-out or a forfeit; and their contradictions. */
import type { MatchDuration, MatchOutcome } from '../generated/resolvers.ts';
import type { Pair, Violations } from './facts.ts';

export interface Side {
  readonly outcome: MatchOutcome | null;
  readonly score: number | null;
  readonly shootoutScore: number | null;
  readonly forfeit: boolean;
}

export interface Circumstances {
  readonly duration: MatchDuration;
  /** The match ended early, or judges or an official decided it: the outcome need not agree with the score. */
  readonly ended: boolean;
  /** The match was stopped with a winner that the score does not determine. */
  readonly stopped: boolean;
  /** Judges decide between equal scores, as in combat sports. */
  readonly judged: boolean;
  readonly inTie: boolean;
  /** Marks or ranks decide; there is no winner and no loser. */
  readonly raced: boolean;
}

type Outcomes = Pair<MatchOutcome | null>;

const opposite: Readonly<Record<MatchOutcome, MatchOutcome>> = {
  WIN: 'LOSS',
  LOSS: 'WIN',
  DRAW: 'DRAW',
  NO_CONTEST: 'NO_CONTEST',
};

/** The outcomes by comparison of two values. */
function compared(one: number, other: number): Outcomes {
  return one === other ? ['DRAW', 'DRAW'] : one > other ? ['WIN', 'LOSS'] : ['LOSS', 'WIN'];
}

/** The outcomes that were given. The outcome or forfeit of one side determines that of the other side. */
function stated([one, other]: Pair<Side>): Outcomes {
  if (one.outcome || other.outcome) {
    const opposing = (side: Side, of: MatchOutcome): MatchOutcome => (of === 'LOSS' && side.forfeit ? 'LOSS' : opposite[of]);
    return [
      one.outcome ?? (other.outcome && opposing(one, other.outcome)),
      other.outcome ?? (one.outcome && opposing(other, one.outcome)),
    ];
  }
  if (!one.forfeit && !other.forfeit) return [null, null];
  return [one.forfeit ? 'LOSS' : 'WIN', other.forfeit ? 'LOSS' : 'WIN'];
}

/** The outcomes by score. A shoot-out decides a drawn score. */
function scored([one, other]: Pair<Side>, { duration, stopped }: Circumstances): Outcomes {
  if (one.score === null || other.score === null || stopped) return [null, null];
  const drawn = one.score === other.score && duration === 'PENALTY_SHOOTOUT';
  if (drawn && one.shootoutScore !== null && other.shootoutScore !== null)
    return compared(one.shootoutScore, other.shootoutScore);
  return compared(one.score, other.score);
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
      ...detail('`shootoutScore` requires the duration PENALTY_SHOOTOUT.'),
    },
    given === 1 && { code: 'required', ...detail('`shootoutScore` is required for both sides.') },
    given === 2 &&
      one.shootoutScore === other.shootoutScore && {
        code: 'shootout_level',
        ...detail('The shoot-out scores must differ: a shoot-out has a winner.'),
      },
    !inTie &&
      both(sides, ({ score }) => score !== null) &&
      one.score !== other.score && {
        code: 'not_drawn',
        ...detail('A shoot-out requires a drawn score. For a match of a tie, set the `tieId` of the match.'),
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
        detail: `The outcomes ${one} and ${other} contradict each other.`,
      },
    ...sides.map(
      ({ forfeit }, index) =>
        forfeit &&
        ['WIN', 'DRAW'].includes([one, other][index] ?? '') && {
          pointer: `/participants/${index}/forfeit`,
          code: 'contradiction',
          detail: 'A side that forfeits has lost. Its outcome cannot be WIN or DRAW.',
        },
    ),
  ];
}

/** Violations for a given outcome that contradicts the score, unless the match ended early or judges decided. */
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
  // An organizer may record a draw although there was a shoot-out.
  if (excused || (judged && level) || (duration === 'PENALTY_SHOOTOUT' && level && given[0] === 'DRAW')) return [];
  return [
    {
      pointer: '/participants/0/outcome',
      code: 'contradicts_score',
      detail: `${given[0]} contradicts the score ${one.score}-${other.score}. Set \`endedBy\`, or \`forfeit\` for one side.`,
    },
  ];
}

/**
 * The outcomes of both sides in their order, and the violations, with pointers to the sides as participants 0 and 1.
 * The outcomes are null where marks or ranks decide.
 */
export function outcomesOf(sides: Pair<Side>, circumstances: Circumstances): { outcomes: Outcomes; violations: Violations } {
  const given = stated(sides);
  const byScore = scored(sides, circumstances);
  const outcomes = given[0] === null ? byScore : given;
  const scores = sides.filter(({ score }) => score !== null).length;
  const contradictions = pairViolations(sides, given, circumstances.ended).filter((violation) => !!violation);
  return {
    outcomes,
    violations: [
      scores === 1 && {
        pointer: `/participants/${sides[0].score === null ? 0 : 1}/score`,
        code: 'required',
        detail: '`score` is required for both sides.',
      },
      outcomes[0] === null &&
        scores !== 1 &&
        !circumstances.raced && {
          pointer: '/participants/0/outcome',
          code: 'required',
          detail: circumstances.stopped
            ? '`outcome` is required: the match was stopped, so its score does not determine the winner.'
            : 'Set the scores of both sides, or an `outcome`.',
        },
      ...shootoutViolations(sides, circumstances),
      ...(contradictions.length > 0 ? contradictions : scoreViolations(sides, given, byScore, circumstances)),
    ],
  };
}

/** Scorecards of judges in combat sports. */
import { periodsBySport } from '../../../schema/periods.ts';
import type { MatchOutcome, ParticipantResultInput, ResultMethod } from '../generated/resolvers.ts';
import type { MatchFacts, Pair, Violations } from './facts.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';

/** The stored scorecards of a participant. The total is the sum of the rounds, less the deducted points, where it is not given. */
export function scorecardsOf({ scorecards }: ParticipantResultInput): Pick<ParticipantPart, 'scorecards'> {
  if (!scorecards || scorecards.length === 0) return {};
  return {
    scorecards: scorecards.map(({ judge, periodScores, total }) => ({
      judge,
      periodScores: periodScores ?? [],
      total: total ?? (periodScores ?? []).reduce((sum, score) => sum + score, 0),
    })),
  };
}

const pointerTo = (side: number, card: number): string => `/participants/${side}/scorecards/${card}`;

/** Violations of the scorecards of two sides, whose judges are the same and in the same order. */
function cardViolations(sides: Pair<ParticipantPart>, sport: string): Violations {
  const [one, other] = sides.map(({ scorecards }) => scorecards ?? []);
  if (!one || !other || one.length + other.length === 0) return [];
  if (sport !== 'COMBAT')
    return [
      {
        pointer: `/participants/${one.length > 0 ? 0 : 1}/scorecards`,
        code: 'not_in_sport',
        detail: `Judges of ${sport} have no scorecards. Remove \`scorecards\`.`,
      },
    ];
  if (one.length !== other.length)
    return [
      { pointer: '/participants/1/scorecards', code: 'judges_differ', detail: 'Both sides need a scorecard of each judge.' },
    ];
  return one.flatMap(({ judge, periodScores }, card): Violations => {
    const theirs = other[card];
    return [
      theirs?.judge !== judge && {
        pointer: `${pointerTo(1, card)}/judge`,
        code: 'judges_differ',
        detail: `The judges must be in the same order for both sides. The first side has ${judge} here.`,
      },
      theirs?.periodScores.length !== periodScores.length && {
        pointer: `${pointerTo(1, card)}/periodScores`,
        code: 'periods_differ',
        detail: 'Both sides must have the same number of `periodScores`.',
      },
    ];
  });
}

/** The violation for a bout that ended in a round that it did not have. */
export function roundViolations(ending: EndingValue | null, { sport, periods }: MatchFacts): Violations {
  const max = sport === 'COMBAT' ? (periods ?? periodsBySport.COMBAT?.max ?? null) : null;
  if (max === null || ending?.period == null || ending.period <= max) return [];
  const detail = `The bout has ${max} rounds, so it cannot end in round ${ending.period}. Correct the round, or \`format.periods\` of the match.`;
  return [{ pointer: '/endedBy/period', code: 'maximum', detail }];
}

/** Judges for and against the winner. */
interface Verdict {
  readonly judges: number;
  readonly for: number;
  readonly against: number;
}

function verdictOf([winner, loser]: Pair<ParticipantPart>): Verdict {
  const margins = (winner.scorecards ?? []).map(({ total }, card) => total - (loser.scorecards?.[card]?.total ?? total));
  return {
    judges: margins.length,
    for: margins.filter((margin) => margin > 0).length,
    against: margins.filter((margin) => margin < 0).length,
  };
}

/** Fewest scorecards that are all of a bout: three judges. */
const allJudges = 3;

const decisionRules: Readonly<
  Partial<Record<ResultMethod, { readonly holds: (verdict: Verdict) => boolean; readonly detail: string }>>
> = {
  DECISION_UNANIMOUS: {
    holds: ({ judges, for: winner }) => judges > 1 && winner === judges,
    detail: 'A unanimous decision needs scorecards of at least two judges, all for the winner.',
  },
  DECISION_SPLIT: {
    holds: ({ judges, for: winner, against }) => winner > 0 && (judges < allJudges || against > 0),
    detail: 'In a split decision, a judge scored for the loser.',
  },
  DECISION_MAJORITY: {
    holds: ({ judges, for: winner }) => winner > 0 && (judges < allJudges || winner < judges),
    detail: 'In a majority decision, a judge scored a draw.',
  },
};

/** Violations of a decision that contradicts the scorecards. A bout that ended otherwise may have any scorecards. */
function decisionViolations(
  [first, second]: Pair<ParticipantPart>,
  [outcome]: Pair<MatchOutcome | null>,
  method: ResultMethod | null,
): Violations {
  if (outcome !== 'WIN' && outcome !== 'LOSS') return [];
  const verdict = verdictOf(outcome === 'WIN' ? [first, second] : [second, first]);
  const rule = method === null ? null : decisionRules[method];
  if (verdict.judges === 0 || (method !== null && !rule)) return [];
  const isOpposite = verdict.against === verdict.judges;
  return [
    isOpposite
      ? {
          pointer: '/participants/0/outcome',
          code: 'contradicts_scorecards',
          detail: `The outcome ${outcome} contradicts the scorecards of all judges.`,
        }
      : !!rule &&
        !rule.holds(verdict) && {
          pointer: '/endedBy/method',
          code: 'contradicts_scorecards',
          detail: `${rule.detail} Correct the method or the scorecards.`,
        },
  ];
}

/** Violations of the scorecards of two sides, and of an outcome that contradicts them. */
export function scorecardViolations(
  sides: Pair<ParticipantPart>,
  sport: string,
  outcomes: Pair<MatchOutcome | null>,
  method: ResultMethod | null,
): Violations {
  const violations = cardViolations(sides, sport);
  return violations.some(Boolean) ? violations : decisionViolations(sides, outcomes, method);
}

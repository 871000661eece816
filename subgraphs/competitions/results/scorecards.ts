/** Scorecards of judges in combat sports. */
import type { ParticipantResultInput } from '../generated/resolvers.ts';
import type { Pair, Violations } from './facts.ts';
import type { ParticipantPart } from './rows.ts';

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
export function scorecardViolations(sides: Pair<ParticipantPart>, sport: string): Violations {
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

/** The goals of a match as actions, in order. Players are not matched, so an action has only a minute and a team. */
import type { Fixture } from './football-file.ts';

/** The last minute of each half, including extra time: 45+2 belongs to the first half, 46 to the second. */
const lastMinutes = [45, 90, 105, 120];

const periodOf = (minute: number): number => lastMinutes.filter((last) => minute > last).length + 1;

/** An own goal is an action of the team that scored it and counts for the opponent. */
export function goalActions({ goals }: Fixture, participantIds: readonly [string, string]): object[] {
  const inOrder = ([0, 1] as const)
    .flatMap((side) => goals[side].map((goal) => ({ goal, side })))
    .toSorted((one, other) => one.goal.minute - other.goal.minute || (one.goal.addedMinute ?? 0) - (other.goal.addedMinute ?? 0));
  const score: [number, number] = [0, 0];
  return inOrder.map(({ goal, side }) => {
    score[side] += 1;
    const scorer = (goal.kind === 'OWN_GOAL') === (side === 0) ? 1 : 0;
    return {
      type: goal.kind,
      period: periodOf(goal.minute),
      minute: goal.minute,
      ...(goal.addedMinute !== null && { addedMinute: goal.addedMinute }),
      participantId: participantIds[scorer],
      scoreAfter: [...score],
    };
  });
}

/** Validation of results of more than two participants. */
import type { Violations } from './facts.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';

/** Violations of outcomes and endings, which only a match of two sides has. */
export function raceViolations(parts: readonly ParticipantPart[], ending: EndingValue | null): Violations {
  return [
    ...parts.map(
      ({ outcome }, index) =>
        outcome !== null && {
          pointer: `/participants/${index}/outcome`,
          code: 'two_sides',
          detail: 'A match of more than two participants has no winner by outcome. Set ranks or marks.',
        },
    ),
    ending !== null &&
      ending.method !== 'AWARDED' && {
        pointer: '/endedBy/method',
        code: 'two_sides',
        detail: 'In a match of more than two participants, set `invalidResultMark` for each participant instead.',
      },
  ];
}

/** Validation of stages. */
import type { Violation } from '../../../schema/errors.ts';

type Violations = (Violation | null | false)[];

const groupLengthMax = 40;

function groupViolations(groups: readonly string[]): Violations {
  return groups.map((group, index) => {
    const pointer = `/groups/${index}`;
    if (group.length === 0 || group.length > groupLengthMax)
      return { pointer, code: 'out_of_bounds', detail: `A group name must have 1 to ${groupLengthMax} characters.` };
    const isDuplicate = groups.indexOf(group) !== index;
    return isDuplicate && { pointer, code: 'duplicate', detail: 'The group name is already in the list.' };
  });
}

/** Validates a stage with the values that it has after the write. */
export function stageViolations(stage: {
  readonly groups?: readonly string[] | null | undefined;
  readonly legs?: number | null | undefined;
  readonly bestOf?: number | null | undefined;
}): Violations {
  const { groups, legs, bestOf } = stage;
  return [
    ...groupViolations(groups ?? []),
    !!bestOf &&
      bestOf % 2 === 0 && {
        pointer: '/bestOf',
        code: 'even',
        detail: `\`bestOf\` must be odd. It is ${bestOf}.`,
      },
    !!bestOf &&
      legs === 2 && {
        pointer: '/bestOf',
        code: 'one_of',
        detail: 'A tie is played over two legs or as a series. Set either `legs: 2` or `bestOf`.',
      },
  ];
}

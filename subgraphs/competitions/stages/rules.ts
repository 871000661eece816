/** Validation of stages. */
import type { Violation } from '../../../schema/errors.ts';
import type { AdvancementCriterion, StageType } from '../generated/resolvers.ts';

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

/** The stages that are ranked by a table, in every sport. */
const tableStages: readonly StageType[] = ['LEAGUE', 'GROUP'];
/** The stages that can have a table. */
export const possibleTableStages: readonly StageType[] = [...tableStages, 'QUALIFYING'];

function advancementRuleViolations({ type, groups, advancement }: StageValues): Violations {
  const criteria = (advancement ?? []).map(({ by }) => by);
  const placesOfNext = criteria.flatMap((by, index) => (by === 'NEXT_PLACED' ? [`/advancement/${index}/by`] : []));
  const hasGroups = (groups ?? []).length > 1 && possibleTableStages.includes(type);
  const [first = '', second] = placesOfNext;
  return [
    ...criteria.map(
      (by, index) =>
        by === 'MARK' &&
        tableStages.includes(type) && {
          pointer: `/advancement/${index}/by`,
          code: 'no_effect',
          detail: 'A table has no marks. Use PLACE, and NEXT_PLACED for the best of those placed next over all groups.',
        },
    ),
    placesOfNext.length > 0 &&
      (!hasGroups || !criteria.includes('PLACE')) && {
        pointer: first,
        code: 'no_effect',
        detail: 'NEXT_PLACED requires a table with at least two `groups`, and a rule by PLACE.',
      },
    second !== undefined && { pointer: second, code: 'duplicate', detail: 'A stage can have one rule by NEXT_PLACED.' },
  ];
}

function carriedResultViolations({ type, groups, carryOver, continuousPositions }: StageValues): Violations {
  const hasTable = possibleTableStages.includes(type);
  return [
    !!carryOver &&
      !hasTable && {
        pointer: '/carryOver',
        code: 'no_effect',
        detail: `Only a table can carry over results. Use it with a stage of type ${possibleTableStages.join(', ')}.`,
      },
    !!continuousPositions &&
      (!hasTable || (groups ?? []).length < 2) && {
        pointer: '/continuousPositions',
        code: 'no_effect',
        detail: '`continuousPositions` requires a table with at least two `groups`.',
      },
  ];
}

interface StageValues {
  readonly type: StageType;
  readonly groups?: readonly string[] | null | undefined;
  readonly carryOver?: object | null | undefined;
  readonly continuousPositions?: boolean | null | undefined;
  readonly advancement?: readonly { readonly by: AdvancementCriterion }[] | null | undefined;
}

/** Validates a stage with the values that it has after the write. */
export function stageViolations(
  stage: StageValues & {
    readonly legs?: number | null | undefined;
    readonly bestOf?: number | null | undefined;
  },
): Violations {
  const { groups, legs, bestOf } = stage;
  return [
    ...groupViolations(groups ?? []),
    ...advancementRuleViolations(stage),
    ...carriedResultViolations(stage),
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

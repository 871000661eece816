/** Results of an earlier stage that count in the tables of a stage. */
import type { Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { CarryOverInput, StageType } from '../generated/resolvers.ts';
import { possibleTableStages } from './rules.ts';
import type { StageCarryOver, StageRow } from './rows.ts';

/** The stored value of an input. Absent members keep the stored value, or have their default. */
export const carryOverOf = (
  input: CarryOverInput | null | undefined,
  stored: StageCarryOver | null | undefined,
): StageCarryOver | null | undefined =>
  input && {
    fromStageId: input.fromStageId,
    matches: input.matches ?? stored?.matches ?? 'ALL',
    points: input.points ?? stored?.points ?? 'FULL',
  };

interface OtherStage {
  readonly id: string;
  readonly name: string;
  readonly type: StageType;
  readonly ordinal: number;
  /** The stage whose results it carries over. */
  readonly fromStageId: string | null;
}

interface OrderedStage {
  readonly id: string | null;
  readonly contestId: string;
  readonly ordinal: number;
}

function sourceViolation(stage: OrderedStage, source: OtherStage | undefined): Violation | null {
  if (!source || source.id === stage.id)
    return {
      pointer: '/carryOver/fromStageId',
      code: 'unknown_stage',
      detail: '`fromStageId` must be another stage of the same contest.',
    };
  if (!possibleTableStages.includes(source.type))
    return {
      pointer: '/carryOver/fromStageId',
      code: 'no_effect',
      detail: `The stage "${source.name}" has no table. Use a stage of type ${possibleTableStages.join(', ')}.`,
    };
  return source.ordinal < stage.ordinal
    ? null
    : {
        pointer: '/carryOver/fromStageId',
        code: 'not_earlier',
        detail: `The stage "${source.name}" has \`order\` ${source.ordinal}. It must be less than ${stage.ordinal}, the \`order\` of this stage.`,
      };
}

const laterViolation = ({ name, ordinal }: OtherStage): Violation => ({
  pointer: '/order',
  code: 'not_earlier',
  detail: `The stage "${name}" carries over the results of this stage. \`order\` must be less than ${ordinal}.`,
});

/** Checks the stage that results come from, and with a changed order the stages that they go to. */
export async function carryOverViolations(
  queryable: Queryable,
  before: Partial<StageRow> & Pick<StageRow, 'contestId'>,
  input: { readonly carryOver: StageCarryOver | null | undefined; readonly order: number | null | undefined },
): Promise<(Violation | null)[]> {
  const ordinal = input.order === undefined ? (before.ordinal ?? 0) : (input.order ?? 0);
  const stage: OrderedStage = { id: before.id ?? null, contestId: before.contestId, ordinal };
  const isReordered = stage.id !== null && ordinal !== before.ordinal;
  if (!input.carryOver && !isReordered) return [];
  const carryOver = input.carryOver === undefined ? before.carryOver : input.carryOver;
  const others = await queryable.query<OtherStage>(sql`/* stages.ofCarryOver */
    select id, name, type, ordinal, carry_over ->> 'fromStageId' as "fromStageId" from stage where contest_id = ${stage.contestId}
      and (id = ${carryOver?.fromStageId ?? null}::uuid or carry_over ->> 'fromStageId' = ${stage.id})`);
  const later = others.find((other) => stage.id !== null && other.fromStageId === stage.id && other.ordinal <= ordinal);
  const source = others.find(({ id }) => id === carryOver?.fromStageId);
  return [carryOver ? sourceViolation(stage, source) : null, later ? laterViolation(later) : null];
}

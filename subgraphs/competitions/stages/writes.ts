/** Write description of stages. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { effectiveRules, overlayRules } from '../ranking-rules/rules.ts';
import type { AdvancementInput, CreateStageInput, UpdateStageInput } from '../generated/resolvers.ts';
import { openSettlement } from '../results/settlement.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { orDefault } from '../season-parts/default-values.ts';
import { lockOrCreateContest } from '../season-parts/implied-parts.ts';
import { noFacts, type PartDescription, type PartWrite } from '../season-parts/writes.ts';
import { carryOverOf, carryOverViolations } from './carry-over.ts';
import { stageViolations } from './rules.ts';
import { stageResource, type StageCarryOver, type StageRow } from './rows.ts';

/** A stage can only advance to another stage of its contest. */
async function advancementViolations(
  { transaction }: PartWrite<null>,
  { contestId, id }: { contestId: string; id: string | null },
  advancement: readonly AdvancementInput[],
): Promise<(Violation | false)[]> {
  const wanted = advancement.flatMap(({ toStageId }) => toStageId ?? []);
  if (wanted.length === 0) return [];
  const known = await transaction.query<{ id: string }>(
    sql`/* stages.ofAdvancement */ select id from stage where contest_id = ${contestId} and id = any(${wanted}::uuid[])`,
  );
  const others = new Set(known.map((stage) => stage.id).filter((stageId) => stageId !== id));
  return advancement.map(
    ({ toStageId }, index) =>
      !!toStageId &&
      !others.has(toStageId) && {
        pointer: `/advancement/${index}/toStageId`,
        code: 'unknown_stage',
        detail: '`toStageId` must be another stage of the same contest.',
      },
  );
}

/** The value of an input member; the stored value where the member is absent. */
const given = <Value>(value: Value | undefined, stored: Value | undefined): Value | undefined =>
  value === undefined ? stored : value;

type StageBefore = Partial<StageRow> & Pick<StageRow, 'contestId' | 'type'>;

async function stageInputViolations(
  write: PartWrite<null>,
  before: StageBefore,
  input: UpdateStageInput,
  carryOver: StageCarryOver | null | undefined,
): Promise<(Violation | false | null)[]> {
  const { groups, legs, bestOf, advancement, continuousPositions } = input;
  // Members of an old stage are checked when they or its groups change.
  const changed = <Value>(value: Value | undefined, stored: Value | undefined): Value | null | undefined =>
    value === undefined && groups === undefined ? null : given(value, stored);
  return [
    ...stageViolations({
      type: before.type,
      groups: given(groups, before.groups),
      advancement: changed(advancement, before.advancement),
      carryOver,
      continuousPositions: changed(continuousPositions, before.continuousPositions),
      legs: given(legs, before.legs),
      bestOf: given(bestOf, before.bestOf),
    }),
    ...(await carryOverViolations(write.transaction, before, { carryOver, order: input.order })),
    ...(await advancementViolations(write, { contestId: before.contestId, id: before.id ?? null }, advancement ?? [])),
  ];
}

async function valuesOf(write: PartWrite<null>, before: StageBefore, input: UpdateStageInput): Promise<Partial<StageRow>> {
  const { name, order, groups, legs, bestOf, awayGoals, advancement, continuousPositions, rankingRules, ...rest } = input;
  const { carryOver: carried, externalIds: _, ...unmapped } = rest;
  const carryOver = carryOverOf(carried, before.carryOver);
  const base = before.rankingRules ?? effectiveRules(write.season);
  const ranked = rankingRules ? overlayRules(base, rankingRules) : null;
  rejectInvalid([...(await stageInputViolations(write, before, input, carryOver)), ...(ranked?.violations ?? [])]);
  const rules = advancement?.map(({ by, count, toStageId }) => ({ by, count, toStageId: toStageId ?? null }));
  return rowValues<StageRow>(
    {
      name,
      bestOf,
      ordinal: orDefault(order, 0),
      groups: orDefault(groups, []),
      legs: orDefault(legs, 1),
      awayGoals: orDefault(awayGoals, false),
      advancement: advancement === null ? [] : rules,
      carryOver,
      continuousPositions: orDefault(continuousPositions, false),
      rankingRules: rankingRules === undefined ? undefined : (ranked?.rules ?? null),
    },
    unmapped,
  );
}

/** Throws Problem in_use (409) when another stage refers to this one. The references are in JSON, so no foreign key protects them. */
async function requireUnused(transaction: WriteTransaction, { id, contestId }: StageRow): Promise<void> {
  const [other] = await transaction.query<{ name: string; advances: boolean }>(sql`/* stages.referringTo */
    select name, advancement @> ${JSON.stringify([{ toStageId: id }])}::jsonb as advances from stage
    where contest_id = ${contestId} and (advancement @> ${JSON.stringify([{ toStageId: id }])}::jsonb
      or carry_over ->> 'fromStageId' = ${id}) limit 1`);
  if (!other) return;
  const [does, member] = other.advances
    ? ['advances to this stage', 'advancement']
    : ['carries over the results of this stage', 'carryOver'];
  throw new Problem('in_use', `The stage "${other.name}" ${does}. Change its \`${member}\` first.`);
}

/** Decides all ties of the stage again when the rules that decide ties changed. */
async function decideTiesAgain(transaction: WriteTransaction, before: StageRow, after: StageRow): Promise<void> {
  const tieRules = ({ legs, bestOf, awayGoals }: StageRow): string => JSON.stringify([legs, bestOf, awayGoals]);
  if (tieRules(before) === tieRules(after)) return;
  const matches = await transaction.query<{ id: string }>(
    sql`/* stages.matches */ select id from match where stage_id = ${after.id} order by id`,
  );
  const settlement = openSettlement();
  for (const { id } of matches) settlement.decide(id);
  await settlement.settle(transaction);
}

export const stageDescription: PartDescription<StageRow, UpdateStageInput, CreateStageInput, null> = {
  resource: stageResource,
  title: 'Stage',
  plural: 'Stages',
  immutable: ['contestId', 'type'],
  fetchFacts: noFacts,
  async newValues(write, { contestId, type, ...input }) {
    const contest = await lockOrCreateContest(write.transaction, write.season, contestId ?? null);
    const values = await valuesOf(write, { contestId: contest.id, type }, input);
    return { ...values, contestId: contest.id, type };
  },
  patchValues: (write, before, input) => valuesOf(write, before, input),
  // Which stage is the first of its contest depends on all stages.
  rankingScope: ({ contestId }) => ({ contestId }),
  afterChange: decideTiesAgain,
  beforeDelete: requireUnused,
};

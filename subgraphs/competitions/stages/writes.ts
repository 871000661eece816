/** How contests and stages are written. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { registryViolation } from '../../runtime/input-violations.ts';
import { overlay, rulesOf } from '../ranking-rules/rules.ts';
import type {
  AdvancementInput,
  CreateContestInput,
  CreateStageInput,
  UpdateContestInput,
  UpdateStageInput,
} from '../resolvers.generated.ts';
import { orDefault, stageViolations } from '../season-parts/rules.ts';
import { openSettlement } from '../results/settlement.ts';
import { contestResource, stageResource, type ContestRow, type StageRow } from '../season-parts/rows.ts';
import type { PartWriting, Writing } from '../season-parts/writes.ts';
import { holdContest } from '../season-parts/implied-parts.ts';

const nothing = (): Promise<null> => Promise.resolve(null);

function contestMembers({ season }: Writing<null>, input: UpdateContestInput): Partial<ContestRow> {
  const { externalIds: _, order, relay, ...values } = input;
  rejectInvalid([registryViolation('/eventCode', season.sport, 'event', input.eventCode)]);
  // What is absent stays undefined, and is not written.
  return { ...values, ordinal: orDefault(order, 0), relay: orDefault(relay, false) } as Partial<ContestRow>;
}

export const contestWriting: PartWriting<ContestRow, UpdateContestInput, CreateContestInput, null> = {
  resource: contestResource,
  title: 'Contest',
  plural: 'Contests',
  fixed: [],
  gather: nothing,
  begin: (writing, input) => Promise.resolve(contestMembers(writing, input)),
  change: (writing, _, input) => Promise.resolve(contestMembers(writing, input)),
  scope: ({ id }) => ({ contestId: id }),
};

/** The faults of stages to go on to that are no other stages of the contest. */
async function advancementViolations(
  { transaction }: Writing<null>,
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
        detail: 'Name another stage of the same contest.',
      },
  );
}

async function stageMembers(
  writing: Writing<null>,
  before: Partial<StageRow> & { contestId: string },
  input: UpdateStageInput,
): Promise<Partial<StageRow>> {
  const { externalIds: _, order, groups, legs, awayGoals, advancement, rankingRules, ...values } = input;
  const own = before.rankingRules ?? rulesOf(writing.season);
  const ranked = rankingRules ? overlay(own, rankingRules) : null;
  rejectInvalid([
    ...stageViolations({ ...before, ...input }),
    ...(await advancementViolations(writing, { contestId: before.contestId, id: before.id ?? null }, advancement ?? [])),
    ...(ranked?.violations ?? []),
  ]);
  const steps = advancement?.map(({ by, count, toStageId }) => ({ by, count, toStageId: toStageId ?? null }));
  return {
    ...values,
    ordinal: orDefault(order, 0),
    groups: orDefault(groups, []),
    legs: orDefault(legs, 1),
    awayGoals: orDefault(awayGoals, false),
    advancement: advancement === null ? [] : steps,
    rankingRules: rankingRules === undefined ? undefined : (ranked?.rules ?? null),
  } as Partial<StageRow>;
}

/** No foreign key knows the stages that others go on to. */
async function refuseTarget(transaction: WriteTransaction, { id, contestId }: StageRow): Promise<void> {
  const [other] = await transaction.query<{ name: string }>(sql`/* stages.leadingTo */ select name from stage
    where contest_id = ${contestId} and advancement @> ${JSON.stringify([{ toStageId: id }])}::jsonb limit 1`);
  if (other) throw new Problem('in_use', `Who advances from the stage ${other.name} goes on to this one: change that first.`);
}

/** Who went on from a tie is decided again by what decides ties now. */
async function decideAgain(transaction: WriteTransaction, before: StageRow, after: StageRow): Promise<void> {
  const decides = ({ legs, bestOf, awayGoals }: StageRow): string => JSON.stringify([legs, bestOf, awayGoals]);
  if (decides(before) === decides(after)) return;
  const matches = await transaction.query<{ id: string }>(
    sql`/* stages.matches */ select id from match where stage_id = ${after.id} order by id`,
  );
  const settlement = openSettlement();
  for (const { id } of matches) settlement.decide(id);
  await settlement.settle(transaction);
}

export const stageWriting: PartWriting<StageRow, UpdateStageInput, CreateStageInput, null> = {
  resource: stageResource,
  title: 'Stage',
  plural: 'Stages',
  fixed: ['contestId', 'type'],
  gather: nothing,
  async begin(writing, { contestId, ...input }) {
    const contest = await holdContest(writing.transaction, writing.season, contestId ?? null);
    return { ...(await stageMembers(writing, { contestId: contest.id }, input)), contestId: contest.id };
  },
  async change(writing, before, input) {
    // A batch item names these, too, as they are.
    const { contestId: _, type: __, ...values } = input as CreateStageInput;
    return stageMembers(writing, before, values);
  },
  // Which stage is the first of its contest depends on all of them.
  scope: ({ contestId }) => ({ contestId }),
  changed: decideAgain,
  leave: refuseTarget,
};

/** Writes competitions. Publishing a competition publishes its seasons. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { rankingRulesOf } from '../../../schema/sports.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  changeRow,
  insertResource,
  lockOwned,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { ownerViolation, fetchOrganizationOwners, type OrganizationOwners } from '../../clients/organization-owners.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { effectiveRules, overlayRules } from '../ranking-rules/rules.ts';
import type { CreateCompetitionInput, UpdateCompetitionInput } from '../resolvers.generated.ts';
import { rowValues, withValues } from '../../runtime/row-values.ts';
import { publishSeasons, refreshSeasons } from '../seasons/writes.ts';
import type { CompetitionReads } from './reads.ts';
import { competitionTransitions, competitionViolations, type CompetitionVerb } from './rules.ts';
import { competitionResource, type CompetitionRow } from './rows.ts';

/** The members that creating and updating a competition have in common. */
const valuesOf = (input: UpdateCompetitionInput): Partial<CompetitionRow> => {
  const { name, code, discipline, type, category, ageGroup, level, country, organizerId, organizerName } = input;
  return rowValues<CompetitionRow>({
    name,
    code,
    discipline,
    type,
    category,
    ageGroup,
    level,
    country,
    organizerId,
    organizerName,
  });
};

async function insert(
  transaction: WriteTransaction,
  accountId: string,
  input: CreateCompetitionInput,
  owners: OrganizationOwners,
): Promise<CompetitionRow> {
  const { sport, discipline, status, rankingRules, externalIds } = input;
  const ranked = rankingRules ? overlayRules(rankingRulesOf(sport, discipline), rankingRules) : null;
  rejectInvalid([
    ...competitionViolations(sport, input),
    ownerViolation('/organizerId', input.organizerId, accountId, owners),
    ...(ranked?.violations ?? []),
  ]);
  const own = rowValues<CompetitionRow>({ sport, status, rankingRules: ranked?.rules });
  return insertResource(transaction, competitionResource, { ...valuesOf(input), ...own, accountId }, externalIds);
}

async function patch(
  transaction: WriteTransaction,
  before: CompetitionRow,
  input: UpdateCompetitionInput,
  owners: OrganizationOwners,
): Promise<CompetitionRow> {
  const { rankingRules, externalIds } = input;
  const values = valuesOf(input);
  const next = withValues(before, values);
  const ranked = rankingRules ? overlayRules(effectiveRules(next), rankingRules) : null;
  rejectInvalid([
    ...competitionViolations(before.sport, next),
    ownerViolation('/organizerId', input.organizerId, before.accountId, owners),
    ...(ranked?.violations ?? []),
  ]);
  const rules = rankingRules === undefined ? {} : { rankingRules: ranked?.rules ?? null };
  const after = await patchResource(transaction, competitionResource, before, { ...values, ...rules }, externalIds);
  // Best-mark lists depend on the category and the age group. Seasons without stored rules depend on the discipline.
  if (after.category !== before.category || after.ageGroup !== before.ageGroup || after.discipline !== before.discipline)
    await refreshSeasons(transaction, after.id);
  return after;
}

/** Creates or updates the competition of one batch item. */
async function upsertOne(
  transaction: WriteTransaction,
  accountId: string,
  item: CreateCompetitionInput,
  owners: OrganizationOwners,
) {
  const id = await findByExternalId(transaction, 'competition', accountId, firstExternalId(item));
  if (id === null) return upsertOutcome(null, await insert(transaction, accountId, item, owners));
  const before = await lockRow(transaction, competitionResource, id);
  rejectInvalid([
    item.sport !== before.sport && {
      pointer: '/sport',
      code: 'immutable',
      detail: `The sport of a competition cannot change. This competition has the sport ${before.sport}.`,
    },
  ]);
  // A batch never changes the state of an existing competition: `status` is its initial state.
  const { status: _, sport: __, ...values } = item;
  return upsertOutcome(before, await patch(transaction, before, values, owners));
}

/** Creates the writes of competitions. */
export function createCompetitionWrites({ writer }: AreaServices, reads: CompetitionReads) {
  const reloading = replaysOf(reads.byId);

  return {
    async create(context: Context, input: CreateCompetitionInput, key: string | null | undefined): Promise<CompetitionRow> {
      const accountId = requireAccount(context.viewer);
      const owners = await fetchOrganizationOwners(context.graph, [input.organizerId]);
      return writer.write(
        context,
        (transaction) => insert(transaction, accountId, input, owners),
        reloading(context, 'createCompetition', key, input),
      );
    },
    async update(context: Context, id: string, input: UpdateCompetitionInput, ifMatch: string): Promise<CompetitionRow> {
      const owners = await fetchOrganizationOwners(context.graph, [input.organizerId]);
      return writer.write(context, async (transaction) => {
        const before = await lockOwned(transaction, competitionResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        return patch(transaction, before, input, owners);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<CompetitionRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwned(transaction, competitionResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        if (row.status !== 'DRAFT') throw new Problem('in_use', 'Only a draft can be deleted. Archive this competition instead.');
        await removeRow(transaction, competitionResource, row);
        return row;
      });
    },
    transition(context: Context, verb: CompetitionVerb, step: { id: string; idempotencyKey?: string | null | undefined }) {
      const { id, idempotencyKey } = step;
      const work = async (transaction: WriteTransaction): Promise<CompetitionRow> => {
        const row = await lockOwned(transaction, competitionResource, context.viewer, id);
        const status = nextState(competitionTransitions, verb, row.status, ['OWNER']);
        const note = { action: verb, event: 'competition.status_changed' } as const;
        const after = await changeRow(transaction, competitionResource, row, { status }, note);
        if (verb === 'publish') await publishSeasons(transaction, id);
        return after;
      };
      return writer.write(context, work, reloading(context, `${verb}Competition`, idempotencyKey, { id }));
    },
    async upsert(
      context: Context,
      items: readonly CreateCompetitionInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const organizerIds = items.map((item) => item.organizerId);
      const owners = await fetchOrganizationOwners(context.graph, organizerIds);
      const request = {
        operation: 'upsertCompetitions',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: competitionConstraints,
      };
      return writeBatch(writer, context, request, (transaction, item) => upsertOne(transaction, accountId, item, owners));
    },
  };
}

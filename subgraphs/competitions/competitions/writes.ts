/** Competitions: their writes. Publishing one shows its seasons with it. */
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
import { overlay, rulesOf } from '../ranking-rules/rules.ts';
import type { CreateCompetitionInput, UpdateCompetitionInput } from '../resolvers.generated.ts';
import { competitionViolations, competitionTransitions, type CompetitionVerb } from './rules.ts';
import { competitionResource, type CompetitionRow, type CompetitionStore } from './reads.ts';
import { publishSeasons, refreshSeasons } from '../seasons/writes.ts';

/** Writes of competitions over the area's database. */
export function createCompetitionWrites({ writer }: AreaServices, store: CompetitionStore) {
  async function insert(
    transaction: WriteTransaction,
    accountId: string,
    input: CreateCompetitionInput,
    owners: OrganizationOwners,
  ): Promise<CompetitionRow> {
    const { externalIds, rankingRules, ...values } = input;
    const ranked = rankingRules ? overlay(rankingRulesOf(input.sport, input.discipline), rankingRules) : null;
    rejectInvalid([
      ...competitionViolations(input.sport, input),
      ownerViolation('/organizerId', input.organizerId, accountId, owners),
      ...(ranked?.violations ?? []),
    ]);
    const row = { ...(values as Partial<CompetitionRow>), accountId, rankingRules: ranked?.rules ?? null };
    return insertResource(transaction, competitionResource, row, externalIds);
  }

  async function patch(
    transaction: WriteTransaction,
    before: CompetitionRow,
    input: UpdateCompetitionInput,
    owners: OrganizationOwners,
  ): Promise<CompetitionRow> {
    const { externalIds, rankingRules, ...given } = input;
    const values = given as Partial<CompetitionRow>;
    const ranked = rankingRules ? overlay(rulesOf({ ...before, ...values }), rankingRules) : null;
    rejectInvalid([
      ...competitionViolations(before.sport, { ...before, ...values }),
      ownerViolation('/organizerId', input.organizerId, before.accountId, owners),
      ...(ranked?.violations ?? []),
    ]);
    const rules = rankingRules === undefined ? {} : { rankingRules: ranked?.rules ?? null };
    const after = await patchResource(transaction, competitionResource, before, { ...values, ...rules }, externalIds);
    // Best marks are listed by category, the young have lists of none, and seasons without rules of their own are ranked by discipline.
    if (after.category !== before.category || after.ageGroup !== before.ageGroup || after.discipline !== before.discipline)
      await refreshSeasons(transaction, after.id);
    return after;
  }

  const reloading = replaysOf(store.byId);

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
        if (row.status !== 'DRAFT') throw new Problem('in_use', 'Only a draft can be deleted; archive the competition instead.');
        await removeRow(transaction, competitionResource, row);
        return row;
      });
    },
    /** Takes a step of the state machine as the owner. */
    transition(context: Context, verb: CompetitionVerb, step: { id: string; idempotencyKey?: string | null | undefined }) {
      const { id, idempotencyKey } = step;
      const take = async (transaction: WriteTransaction): Promise<CompetitionRow> => {
        const row = await lockOwned(transaction, competitionResource, context.viewer, id);
        const status = nextState(competitionTransitions, verb, row.status, ['OWNER']);
        const moved = { action: verb, event: 'competition.status_changed' } as const;
        const after = await changeRow(transaction, competitionResource, row, { status }, moved);
        if (verb === 'publish') await publishSeasons(transaction, id);
        return after;
      };
      return writer.write(context, take, reloading(context, `${verb}Competition`, idempotencyKey, { id }));
    },
    async upsert(
      context: Context,
      items: readonly CreateCompetitionInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const owners = await fetchOrganizationOwners(
        context.graph,
        items.map((item) => item.organizerId),
      );
      const request = {
        operation: 'upsertCompetitions',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: competitionConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'competition', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insert(transaction, accountId, item, owners));
        const before = await lockRow(transaction, competitionResource, id);
        rejectInvalid([
          item.sport !== before.sport && {
            pointer: '/sport',
            code: 'immutable',
            detail: `This competition is one of ${before.sport}; its sport does not change.`,
          },
        ]);
        // The state is never patched: it is the one to begin in.
        const { status: _, sport: __, ...values } = item;
        return upsertOutcome(before, await patch(transaction, before, values, owners));
      });
    },
  };
}

/** Writes competitions. Publishing a competition publishes its seasons. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { rankingRulesOf } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import {
  lockForTransition,
  lockOwnedAt,
  removeOwned,
  requireDraft,
  type TransitionArguments,
} from '../../../platform/writes/lifecycle.ts';
import { changeRow, insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { ownerViolation, fetchOrganizationOwners, type OrganizationOwners } from '../../clients/organization-owners.ts';
import { createImageWrite } from '../../runtime/image-writes.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { effectiveRules, overlayRules } from '../ranking-rules/rules.ts';
import type { CreateCompetitionInput, UpdateCompetitionInput } from '../generated/resolvers.ts';
import { localizedNameViolations } from '../../runtime/input-violations.ts';
import { rowValues, withValues } from '../../runtime/row-values.ts';
import { publishSeasons, refreshSeasons } from '../seasons/writes.ts';
import type { CompetitionReads } from './reads.ts';
import { promotionViolation } from './promotion.ts';
import { competitionTransitions, competitionViolations, type CompetitionVerb } from './rules.ts';
import { competitionResource, type CompetitionRow } from './rows.ts';

/** The members that creating and updating a competition have in common. */
const valuesOf = (input: UpdateCompetitionInput): Partial<CompetitionRow> => {
  const { name, code, discipline, type, category, ageGroup, level, country, organizerId, organizerName, ...rest } = input;
  const { names, tier, promotesToId, rankingRules: _, externalIds: __, ...unmapped } = rest;
  return rowValues<CompetitionRow>(
    {
      name,
      names,
      code,
      discipline,
      type,
      category,
      ageGroup,
      level,
      country,
      organizerId,
      organizerName,
      tier,
      promotesToId,
    },
    unmapped,
  );
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
    ...localizedNameViolations(input.names),
    ownerViolation('/organizerId', input.organizerId, accountId, owners),
    await promotionViolation(transaction, { id: null, accountId, sport }, input.promotesToId),
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
    ...localizedNameViolations(input.names),
    ownerViolation('/organizerId', input.organizerId, before.accountId, owners),
    await promotionViolation(transaction, before, input.promotesToId),
    ...(ranked?.violations ?? []),
  ]);
  const rules = rankingRules === undefined ? {} : { rankingRules: ranked?.rules ?? null };
  const after = await patchResource(transaction, competitionResource, before, { ...values, ...rules }, externalIds);
  // Best-mark lists depend on the category and the age group. Seasons without stored rules depend on the discipline.
  if (after.category !== before.category || after.ageGroup !== before.ageGroup || after.discipline !== before.discipline)
    await refreshSeasons(transaction, after.id);
  return after;
}

/** Updates the competition of one batch item, without its status. */
function patchFromItem(
  transaction: WriteTransaction,
  before: CompetitionRow,
  { sport, status: _, ...values }: CreateCompetitionInput,
  owners: OrganizationOwners,
): Promise<CompetitionRow> {
  const detail = `The sport of a competition cannot change. This competition has the sport ${before.sport}.`;
  rejectInvalid([sport !== before.sport && immutableViolation('sport', detail)]);
  return patch(transaction, before, values, owners);
}

/** Moves a competition to another state. Publishing it publishes its seasons. */
async function applyTransition(
  transaction: WriteTransaction,
  viewer: Viewer,
  verb: CompetitionVerb,
  id: string,
): Promise<CompetitionRow> {
  const transitions = competitionTransitions;
  const { row, status } = await lockForTransition(transaction, competitionResource, transitions, viewer, verb, id);
  const note = { action: verb, event: 'competition.status_changed' } as const;
  const after = await changeRow(transaction, competitionResource, row, { status }, note);
  if (verb === 'publish') await publishSeasons(transaction, id);
  return after;
}

/** Creates the writes of competitions. */
export function createCompetitionWrites(services: AreaServices, reads: CompetitionReads) {
  const { writer } = services;
  const reloading = replaysOf(reads.byId);
  const setImage = createImageWrite(services, {
    resource: competitionResource,
    kind: 'emblem',
    change: (transaction, before, imageId) =>
      changeRow(transaction, competitionResource, before, { imageId }, { action: 'updated', event: 'competition.updated' }),
  });

  return {
    setImage,
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
        const before = await lockOwnedAt(transaction, competitionResource, context.viewer, { id, ifMatch });
        return patch(transaction, before, input, owners);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<CompetitionRow> {
      const check = requireDraft('Only a draft can be deleted. Archive this competition instead.');
      return writer.write(context, (transaction) =>
        removeOwned(transaction, competitionResource, context.viewer, { id, ifMatch }, check),
      );
    },
    transition(context: Context, verb: CompetitionVerb, { id, idempotencyKey }: TransitionArguments): Promise<CompetitionRow> {
      const work = (transaction: WriteTransaction) => applyTransition(transaction, context.viewer, verb, id);
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
      return upsertByExternalId(writer, context, {
        operation: 'upsertCompetitions',
        idempotencyKey,
        items,
        constraints: competitionConstraints,
        resource: competitionResource,
        accountId,
        insert: (transaction, item) => insert(transaction, accountId, item, owners),
        update: (transaction, before, item) => patchFromItem(transaction, before, item, owners),
        status: {
          verbs: ['publish'],
          apply: (transaction, { id }, verb) => applyTransition(transaction, context.viewer, verb, id),
        },
      });
    },
  };
}

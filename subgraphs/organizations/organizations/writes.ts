/** Writes of organizations. A change of visibility publishes or unpublishes the teams and memberships of the organization. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import {
  isModeratorTransition,
  lockForTransition,
  lockOwnedAt,
  removeOwned,
  requireDraft,
  transitionNote,
  verificationDecision,
  type TransitionArguments,
} from '../../../platform/writes/lifecycle.ts';
import {
  changeRow,
  insertResource,
  lockForModeration,
  patchResource,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { createImageWrite } from '../../runtime/image-writes.ts';
import { verificationAfter } from '../../runtime/verification.ts';
import type { CreateOrganizationInput, UpdateOrganizationInput } from '../generated/resolvers.ts';
import { insertFirstTeam } from '../teams/writes.ts';
import { checkParent } from './parent.ts';
import { publishOf, unpublishOf } from './publication.ts';
import type { OrganizationReads } from './reads.ts';
import { organizationResource, organizations, type OrganizationRow } from './rows.ts';
import { organizationTransitions, organizationViolations, verifiedMembers, type OrganizationVerb } from './rules.ts';
import { isPublic } from './visibility.ts';

/** Inserts an organization, with its first team on request. Throws Problem validation_failed (422). */
export async function insertOrganization(
  transaction: WriteTransaction,
  accountId: string,
  input: CreateOrganizationInput,
): Promise<OrganizationRow> {
  const { externalIds, createTeam, ...values } = input;
  rejectInvalid([
    ...organizationViolations(input.type, input),
    createTeam === true &&
      input.type !== 'CLUB' && {
        pointer: '/createTeam',
        code: 'not_for_type',
        detail: '`createTeam` is allowed only for organizations of type CLUB.',
      },
  ]);
  await checkParent(transaction, { id: null, accountId }, input.parentOrganizationId);
  const row = await insertResource(
    transaction,
    organizationResource,
    { ...rowValues(organizations, values), accountId },
    externalIds,
  );
  const [sport] = row.sports;
  if (createTeam === true && sport) await insertFirstTeam(transaction, row, sport);
  return row;
}

/** Applies a merge patch to a locked organization. Throws Problem validation_failed (422). */
export async function patchOrganization(
  transaction: WriteTransaction,
  viewer: Viewer,
  before: OrganizationRow,
  { externalIds, ...input }: UpdateOrganizationInput,
): Promise<OrganizationRow> {
  rejectInvalid(organizationViolations(before.type, input));
  await checkParent(transaction, before, input.parentOrganizationId);
  const values = rowValues(organizations, input);
  const verification = verificationAfter(viewer, before, values, verifiedMembers);
  return patchResource(transaction, organizationResource, before, { ...values, verification }, externalIds);
}

/** Moves an organization to another status, as its owner or as a moderator. */
export async function moveOrganization(
  transaction: WriteTransaction,
  viewer: Viewer,
  verb: OrganizationVerb,
  { id, reason }: TransitionArguments,
): Promise<OrganizationRow> {
  const { row, status } = await lockForTransition(transaction, organizationResource, organizationTransitions, viewer, verb, id);
  const [wasPublic, becomesPublic] = [isPublic(row), isPublic({ status })];
  if (wasPublic && !becomesPublic) await unpublishOf(transaction, id);
  const note = transitionNote(verb, 'organization.status_changed', reason);
  const changed = await changeRow(transaction, organizationResource, row, { status }, note);
  if (!wasPublic && becomesPublic) await publishOf(transaction, id);
  return changed;
}

/** Creates the writes of organizations. */
export function createOrganizationWrites(services: AreaServices, reads: OrganizationReads) {
  const { writer } = services;
  const replay = replaysOf(reads.byId);
  const replayForModeration = replaysOf(reads.byIdForModeration);

  const setImage = createImageWrite(services, {
    resource: organizationResource,
    kind: 'emblem',
    change: (transaction, before, imageId) =>
      changeRow(transaction, organizationResource, before, { imageId }, { action: 'updated', event: 'organization.updated' }),
  });

  return {
    setImage,
    create(context: Context, input: CreateOrganizationInput, key: string | null | undefined): Promise<OrganizationRow> {
      const accountId = requireAccount(context.viewer);
      const work = (transaction: WriteTransaction) => insertOrganization(transaction, accountId, input);
      return writer.write(context, work, replay(context, 'createOrganization', key, input));
    },
    update(context: Context, id: string, input: UpdateOrganizationInput, ifMatch: string): Promise<OrganizationRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, organizationResource, context.viewer, { id, ifMatch });
        return patchOrganization(transaction, context.viewer, before, input);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<OrganizationRow> {
      const check = requireDraft('Only a draft can be deleted. Close the organization instead.');
      return writer.write(context, (transaction) =>
        removeOwned(transaction, organizationResource, context.viewer, { id, ifMatch }, check),
      );
    },
    transition(context: Context, verb: OrganizationVerb, args: TransitionArguments): Promise<OrganizationRow> {
      const { id, reason, idempotencyKey } = args;
      const replayable = isModeratorTransition(organizationTransitions, verb) ? replayForModeration : replay;
      const work = (transaction: WriteTransaction) => moveOrganization(transaction, context.viewer, verb, args);
      return writer.write(context, work, replayable(context, `${verb}Organization`, idempotencyKey, { id, reason }));
    },
    /** Records a moderator's verification decision. `reason` is the method of a positive decision. */
    decide(
      context: Context,
      verb: 'verify' | 'reject',
      { id, reason, idempotencyKey }: TransitionArguments,
    ): Promise<OrganizationRow> {
      const work = async (transaction: WriteTransaction): Promise<OrganizationRow> => {
        const row = await lockForModeration(transaction, organizationResource, context.viewer, id);
        const { verification, note } = verificationDecision(verb, 'organization.verified', reason);
        return changeRow(transaction, organizationResource, row, { verification }, note);
      };
      const replayable = replayForModeration(context, `${verb}Organization`, idempotencyKey, { id, method: reason });
      return writer.write(context, work, replayable);
    },
  };
}

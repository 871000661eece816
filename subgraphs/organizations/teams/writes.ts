/** Teams: their writes. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { sql } from '../../../platform/database/database.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import {
  insertResource,
  lockOwned,
  lockRow,
  patchResource,
  removeRow,
  requireAccount,
} from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateTeamInput, OrganizationStatus, Sport, UpdateTeamInput } from '../resolvers.generated.ts';
import { registryViolation, unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import { isOrganizationVisible } from '../organizations/visibility.ts';
import { teamResource, type TeamRow, type TeamReads } from './reads.ts';

/** Writes of teams over the area's database. */
export function createTeamWrites({ writer }: AreaServices, store: TeamReads) {
  async function insert(transaction: WriteTransaction, viewer: Viewer, input: CreateTeamInput): Promise<TeamRow> {
    const accountId = requireAccount(viewer);
    rejectInvalid([
      registryViolation('/discipline', input.sport, 'discipline', input.discipline),
      !!input.organizationId === !!input.country && {
        pointer: '/organizationId',
        code: 'one_of',
        detail: 'Give either organizationId (a team of an organization) or country (a national team).',
      },
    ]);
    if (input.organizationId) {
      const [owner] = await transaction.query<{ accountId: string; status: OrganizationStatus }>(
        sql`/* teams.ownerOfOrganization */ select account_id as "accountId", status from organization where id = ${input.organizationId} for key share`,
      );
      // Another account's draft answers like an organization that does not exist.
      if (!owner || !isOrganizationVisible(viewer, owner)) rejectInvalid([unknownOrganizationViolation('/organizationId')]);
      if (owner?.accountId !== accountId)
        throw new Problem('not_owner', 'Teams are created by the account of their organization.');
    }
    const { externalIds: ids, ...values } = input;
    return insertResource(
      transaction,
      teamResource,
      { ...(values as Partial<TeamRow>), ageGroup: input.ageGroup ?? 'SENIOR', accountId },
      ids,
    );
  }

  const reloading = replaysOf(store.byId);

  return {
    /** The first team of a new club, in the transaction that creates the club. */
    insertFirst(
      transaction: WriteTransaction,
      organization: { id: string; accountId: string; name: string; shortName: string | null },
      sport: Sport,
    ): Promise<TeamRow> {
      const { id, accountId, name: teamName, shortName } = organization;
      return insertResource(
        transaction,
        teamResource,
        { accountId, name: teamName, shortName, sport, category: 'OPEN', ageGroup: 'SENIOR', organizationId: id },
        null,
      );
    },
    create(context: Context, input: CreateTeamInput, key: string | null | undefined): Promise<TeamRow> {
      return writer.write(
        context,
        (transaction) => insert(transaction, context.viewer, input),
        reloading(context, 'createTeam', key, input),
      );
    },
    update(context: Context, id: string, input: UpdateTeamInput, ifMatch: string): Promise<TeamRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwned(transaction, teamResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        rejectInvalid([registryViolation('/discipline', before.sport, 'discipline', input.discipline)]);
        const { externalIds: ids, ...values } = input;
        return patchResource(transaction, teamResource, before, values as Partial<TeamRow>, ids);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<TeamRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwned(transaction, teamResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        await removeRow(transaction, teamResource, row);
        return row;
      });
    },
    upsert(context: Context, items: readonly CreateTeamInput[], idempotencyKey: string | null | undefined): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const request = {
        operation: 'upsertTeams',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: organizationConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await findByExternalId(transaction, 'team', accountId, firstExternalId(item));
        if (id === null) return upsertOutcome(null, await insert(transaction, context.viewer, item));
        const before = await lockRow(transaction, teamResource, id);
        rejectInvalid([
          item.sport !== before.sport && {
            pointer: '/sport',
            code: 'immutable',
            detail: `This team plays ${before.sport}; its sport does not change.`,
          },
          registryViolation('/discipline', before.sport, 'discipline', item.discipline),
        ]);
        const { externalIds: ids, sport: _, organizationId: __, country: ___, ...values } = item;
        return upsertOutcome(before, await patchResource(transaction, teamResource, before, values as Partial<TeamRow>, ids));
      });
    },
  };
}

export type TeamWrites = ReturnType<typeof createTeamWrites>;

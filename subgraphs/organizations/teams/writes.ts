/** Writes of teams. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import { sql } from '../../../platform/database/database.ts';
import { lockOwnedAt, removeOwned } from '../../../platform/writes/lifecycle.ts';
import { insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { localizedNameViolations, registryViolation, unknownOrganizationViolation } from '../../runtime/input-violations.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { OrganizationRow } from '../organizations/rows.ts';
import { isOrganizationVisible } from '../organizations/visibility.ts';
import type { CreateTeamInput, OrganizationStatus, Sport, UpdateTeamInput } from '../generated/resolvers.ts';
import type { TeamReads } from './reads.ts';
import { teamResource, teams, type TeamRow } from './rows.ts';

/** Throws Problem validation_failed (422) for an organization that the viewer cannot read, and not_owner (403) for other accounts'. */
async function requireOwnOrganization(
  transaction: WriteTransaction,
  viewer: Viewer,
  accountId: string,
  organizationId: string,
): Promise<void> {
  const [owner] = await transaction.query<{ accountId: string; status: OrganizationStatus }>(
    sql`/* teams.ownerOfOrganization */ select account_id as "accountId", status from organization where id = ${organizationId} for key share`,
  );
  // a draft of another account is reported like an unknown organization
  if (!owner || !isOrganizationVisible(viewer, owner)) rejectInvalid([unknownOrganizationViolation('/organizationId')]);
  if (owner?.accountId !== accountId)
    throw new Problem('not_owner', 'Only the account that owns an organization can create its teams.');
}

/** Inserts a team. Throws Problem validation_failed (422) and not_owner (403). */
export async function insertTeam(transaction: WriteTransaction, viewer: Viewer, input: CreateTeamInput): Promise<TeamRow> {
  const { externalIds, ...values } = input;
  const accountId = requireAccount(viewer);
  rejectInvalid([
    registryViolation('/discipline', input.sport, 'discipline', input.discipline),
    ...localizedNameViolations(input.names),
    !!input.organizationId === !!input.country && {
      pointer: '/organizationId',
      code: 'one_of',
      detail: 'Specify either `organizationId`, for a team of an organization, or `country`, for a national team.',
    },
  ]);
  if (input.organizationId) await requireOwnOrganization(transaction, viewer, accountId, input.organizationId);
  const row = { ...rowValues(teams, values), ageGroup: input.ageGroup ?? 'SENIOR', accountId };
  return insertResource(transaction, teamResource, row, externalIds);
}

/** Inserts the first team of a new club, in the transaction that creates the club. */
export function insertFirstTeam(
  transaction: WriteTransaction,
  { id, accountId, name, shortName }: Pick<OrganizationRow, 'id' | 'accountId' | 'name' | 'shortName'>,
  sport: Sport,
): Promise<TeamRow> {
  const values = { accountId, name, shortName, sport, category: 'OPEN', ageGroup: 'SENIOR', organizationId: id } as const;
  return insertResource(transaction, teamResource, values, null);
}

/** Applies a merge patch to a locked team. Throws Problem validation_failed (422). */
export function patchTeam(
  transaction: WriteTransaction,
  before: TeamRow,
  { externalIds, ...input }: UpdateTeamInput,
): Promise<TeamRow> {
  rejectInvalid([
    registryViolation('/discipline', before.sport, 'discipline', input.discipline),
    ...localizedNameViolations(input.names),
  ]);
  return patchResource(transaction, teamResource, before, rowValues(teams, input), externalIds);
}

/** Creates the writes of teams. */
export function createTeamWrites({ writer }: AreaServices, reads: TeamReads) {
  const replay = replaysOf(reads.byId);

  return {
    create(context: Context, input: CreateTeamInput, key: string | null | undefined): Promise<TeamRow> {
      const work = (transaction: WriteTransaction) => insertTeam(transaction, context.viewer, input);
      return writer.write(context, work, replay(context, 'createTeam', key, input));
    },
    update(context: Context, id: string, input: UpdateTeamInput, ifMatch: string): Promise<TeamRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, teamResource, context.viewer, { id, ifMatch });
        return patchTeam(transaction, before, input);
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<TeamRow> {
      return writer.write(context, (transaction) => removeOwned(transaction, teamResource, context.viewer, { id, ifMatch }));
    },
  };
}

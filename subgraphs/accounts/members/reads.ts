/** Reads of members and invitations. The callers authorize the viewer. */
import { sql, type Database, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import { accounts, type AccountRow } from '../accounts/rows.ts';
import { readAccountPlans } from '../own-keys/account-plan.ts';
import type { PlanReads } from '../plans/reads.ts';
import { keyOfPlan, planKey } from '../plans/rows.ts';
import { invitations, members, type InvitationRow, type MemberRow } from './rows.ts';

export interface SessionMembershipRow {
  readonly account: AccountRow;
  readonly role: MemberRole;
  /** Code of the plan that the account has now, and whether it includes write access. */
  readonly plan: string;
  readonly writes: boolean;
}

const listMax = 500;

/** The code of the plan of each account, and whether it includes write access. */
async function plansOf(database: Queryable, plans: PlanReads, accountIds: readonly string[]) {
  const assignments = await readAccountPlans(database, accountIds);
  const rows = await plans.byKeys([...new Set(assignments.map(planKey))], database);
  const byKey = new Map(rows.flatMap((row) => (row ? [[keyOfPlan(row), row]] : [])));
  return assignments.map((assignment) => {
    const row = byKey.get(planKey(assignment));
    return { plan: assignment.planCode, writes: row?.writes ?? false };
  });
}

/** Reads of members over the area's database. */
export function createMemberReads(database: Database, plans: PlanReads) {
  const ofAccounts: BatchRead<string, MemberRow[]> = async (ids) => {
    const rows = await database.query<MemberRow>(sql`/* members.ofAccounts */ select ${members.columns} from account_member
      where account_id = any(${[...ids]}::uuid[]) and removed_at is null order by created_at, id limit ${listMax}`);
    const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
    return ids.map((id) => byAccount.get(id) ?? []);
  };

  const ofUsers: BatchRead<string, MemberRow[]> = async (ids) => {
    const rows = await database.query<MemberRow>(sql`/* members.ofUsers */ select ${members.columns} from account_member
      where user_id = any(${[...ids]}::uuid[]) and removed_at is null order by created_at desc, id desc limit ${listMax}`);
    const byUser = Map.groupBy(rows, ({ userId }) => userId);
    return ids.map((id) => byUser.get(id) ?? []);
  };

  const openInvitationsOf: BatchRead<string, InvitationRow[]> = async (ids) => {
    const rows = await database.query<InvitationRow>(sql`/* invitations.ofAccounts */ select ${invitations.columns}
      from account_invitation where account_id = any(${[...ids]}::uuid[]) and accepted_at is null and withdrawn_at is null
        and expires_at > now() order by created_at desc, id desc limit ${listMax}`);
    const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
    return ids.map((id) => byAccount.get(id) ?? []);
  };

  const byId: BatchRead<string, MemberRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<MemberRow>(sql`/* members.byIds */ select ${members.columns} from account_member
        where id = any(${[...ids]}::uuid[])`),
      (row) => row.id,
    );

  async function membershipsOf(userId: string, ofAccount: Sql): Promise<SessionMembershipRow[]> {
    const rows = await database.query<AccountRow & { readonly role: MemberRole }>(sql`/* members.ofSession */
      select ${accounts.columns}, m.role from account_member m join account on account.id = m.account_id
      where m.user_id = ${userId} and m.removed_at is null and ${ofAccount} order by m.created_at, m.id limit ${listMax}`);
    const found = await plansOf(
      database,
      plans,
      rows.map(({ id }) => id),
    );
    return rows.map(({ role, ...account }, index) => ({ account, role, ...(found[index] ?? { plan: 'free', writes: false }) }));
  }

  return {
    byId,
    ofAccounts,
    ofUsers,
    openInvitationsOf,
    /** Memberships of a user in accounts that are not closed, oldest first. */
    ofSession: (userId: string) => membershipsOf(userId, sql`account.status <> 'CLOSED'`),
    /** The membership of a user in an active account, or in a suspended one if those are included; null without one. Read with every request of the portal. */
    async inAccount(userId: string, accountId: string, includesSuspended: boolean): Promise<SessionMembershipRow | null> {
      const statuses = includesSuspended ? ['ACTIVE', 'SUSPENDED'] : ['ACTIVE'];
      const [row] = await membershipsOf(userId, sql`account.id = ${accountId} and account.status = any(${statuses})`);
      return row ?? null;
    },
  };
}

export type MemberReads = ReturnType<typeof createMemberReads>;

/** The memberships that a transfer ends and starts. The lists of transfers and of memberships agree, because one transaction writes both. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { Sport, TransferType } from '../generated/resolvers.ts';
import { dayBefore, today } from '../memberships/days.ts';
import { membershipResource, memberships, type MembershipRow } from '../memberships/rows.ts';

/** An athlete in an organization, or in one of its teams. */
export interface Place {
  readonly athleteId: string;
  readonly organizationId: string;
  readonly teamId: string | null | undefined;
  readonly sport: Sport | null;
}

const isAt = ({ athleteId, organizationId, teamId, sport }: Place) => sql`athlete_id = ${athleteId}
  and organization_id = ${organizationId} and (${teamId ?? null}::uuid is null or team_id = ${teamId ?? null}::uuid)
  and (${sport}::text is null or membership.sport is null or membership.sport = ${sport})
  and status in ('ACTIVE', 'ON_LOAN', 'ENDED') and type <> 'NATIONAL'`;

/** Locks the agreed membership that is in force on a day. A loan return looks for the loan, other types for the permanent membership first. */
export async function lockMembershipOn(
  transaction: WriteTransaction,
  place: Place,
  day: string,
  type: TransferType,
): Promise<MembershipRow | undefined> {
  const isLoan = type === 'LOAN_RETURN';
  const [row] =
    await transaction.query<MembershipRow>(sql`/* transfers.membershipOn */ select ${memberships.columns} from membership
    where ${isAt(place)} and (not ${isLoan}::boolean or type = 'LOAN')
      and (start_date is null or start_date <= ${day}::date) and (end_date is null or end_date >= ${day}::date)
    order by type <> 'PERMANENT', start_date desc nulls last, id limit 1 for update`);
  return row;
}

/** Locks the agreed membership that starts on a day. */
export async function lockMembershipFrom(
  transaction: WriteTransaction,
  place: Place,
  day: string,
  type: 'LOAN' | 'PERMANENT',
): Promise<MembershipRow | undefined> {
  const [row] =
    await transaction.query<MembershipRow>(sql`/* transfers.membershipFrom */ select ${memberships.columns} from membership
    where ${isAt(place)} and start_date = ${day}::date and (type = 'LOAN') = (${type} = 'LOAN') order by id limit 1 for update`);
  return row;
}

/** Locks a membership by its id, if it still exists. */
export async function lockMembership(transaction: WriteTransaction, id: string | null): Promise<MembershipRow | undefined> {
  if (id === null) return undefined;
  const [row] = await transaction.query<MembershipRow>(
    sql`/* transfers.lockMembership */ select ${memberships.columns} from membership where id = ${id} for update`,
  );
  return row;
}

/** Whether the viewer's account is a party of a membership. */
export const isPartyOf = (viewer: Viewer, { accountId, personAccountId }: MembershipRow): boolean =>
  owns(viewer, accountId) || owns(viewer, personAccountId);

/** Ends a membership on a day, unless it ended earlier. A future day leaves it in force until then. Throws Problem validation_failed (422). */
async function endOn(transaction: WriteTransaction, row: MembershipRow, day: string): Promise<void> {
  if (row.endDate !== null && row.endDate <= day) return;
  rejectInvalid([
    row.startDate !== null &&
      row.startDate > day && {
        pointer: '/date',
        code: 'before_start',
        detail: `The membership that the transfer ends started on ${row.startDate}. The transfer must be later.`,
      },
  ]);
  const status = day < today() ? 'ENDED' : row.status;
  const note = { action: 'transfer', event: 'membership.transferred', data: { athleteId: row.athleteId } } as const;
  await changeRow(transaction, membershipResource, row, { endDate: day, status }, note);
}

/** Ends the loans of an athlete who leaves the lending organization. */
async function endLoans(transaction: WriteTransaction, { athleteId, sport }: MembershipRow, day: string): Promise<void> {
  const rows = await transaction.query<MembershipRow>(sql`/* transfers.loansOf */ select ${memberships.columns} from membership
    where athlete_id = ${athleteId} and type = 'LOAN' and status in ('ACTIVE', 'ON_LOAN') and sport is not distinct from ${sport}
      and (start_date is null or start_date <= ${day}::date) and (end_date is null or end_date > ${day}::date)
    order by id for update`);
  for (const row of rows) await endOn(transaction, row, day);
}

/** A transfer, as far as it concerns the membership that the athlete leaves. */
export interface Leaving {
  readonly type: TransferType;
  readonly date: string;
  readonly loanUntil?: string | null | undefined;
}

/** Whether the athlete stays a member, on loan to another organization. A loan that moves on to a third organization ends instead. */
const isLent = ({ type }: Leaving, left: MembershipRow): boolean => type === 'LOAN' && left.type !== 'LOAN';

/** Whether a transfer changes the membership that the athlete leaves. */
export function changesLeft(leaving: Leaving, left: MembershipRow): boolean {
  const { date, loanUntil } = leaving;
  if (isLent(leaving, left)) return left.status === 'ACTIVE' && (!loanUntil || loanUntil >= today());
  return left.endDate === null || left.endDate >= date;
}

/** Ends the membership that an athlete leaves, or marks it as on loan. Throws Problem validation_failed (422). */
export async function leave(transaction: WriteTransaction, left: MembershipRow, leaving: Leaving): Promise<void> {
  if (!changesLeft(leaving, left)) return;
  if (isLent(leaving, left)) {
    const note = { action: 'loan', event: 'membership.status_changed', data: { athleteId: left.athleteId } } as const;
    await changeRow(transaction, membershipResource, left, { status: 'ON_LOAN' }, note);
    return;
  }
  const lastDay = dayBefore(leaving.date);
  await endOn(transaction, left, lastDay);
  if (left.status === 'ON_LOAN') await endLoans(transaction, left, lastDay);
}

/** Continues the membership in the lending organization after a loan. Throws Problem not_owner (403). */
export async function recall(transaction: WriteTransaction, viewer: Viewer, row: MembershipRow): Promise<void> {
  if (row.status !== 'ON_LOAN') return;
  requireParty(viewer, row);
  const note = { action: 'recall', event: 'membership.status_changed', data: { athleteId: row.athleteId } } as const;
  await changeRow(transaction, membershipResource, row, { status: 'ACTIVE' }, note);
}

/** Throws Problem not_owner (403) unless the viewer's account is a party of a membership. */
export function requireParty(viewer: Viewer, row: MembershipRow): void {
  if (isPartyOf(viewer, row)) return;
  throw new Problem(
    'not_owner',
    'Only the account of the athlete or of one of the organizations can record this transfer. Ask one of them to record it.',
  );
}

/** Moves an athlete: the membership that a new transfer ends, the one that it starts, and the values of the transfer. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { owns, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import type { InputPatch } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { CreateMembershipInput, CreateTransferInput } from '../generated/resolvers.ts';
import { dayBefore } from '../memberships/days.ts';
import { resolveMembership } from '../memberships/parties.ts';
import type { MembershipRow } from '../memberships/rows.ts';
import { insertMembership } from '../memberships/writes.ts';
import { changesLeft, leave, lockMembershipFrom, lockMembershipOn, recall, requireParty, type Place } from './career.ts';
import { resolveTransfer, type ResolvedTransfer, type TransferReferences } from './references.ts';
import type { TransferRow } from './rows.ts';
import { transferViolations } from './rules.ts';

/** Locks the organizations of a transfer until the commit, before its memberships, as all writes do. */
async function lockOrganizations(transaction: WriteTransaction, ids: readonly (string | null | undefined)[]): Promise<void> {
  await transaction.query(sql`/* transfers.lockOrganizations */ select from organization
    where id = any(${ids.filter((id) => typeof id === 'string')}::uuid[]) order by id for key share`);
}

function placeOf(
  { athleteId }: CreateTransferInput,
  { sport }: ResolvedTransfer,
  organizationId: string | null | undefined,
  teamId: string | null | undefined,
): Place | null {
  return organizationId ? { athleteId, organizationId, teamId, sport } : null;
}

/** The membership that the athlete leaves; undefined without a previous organization. Throws Problem validation_failed (422) if there is none. */
async function lockLeft(
  transaction: WriteTransaction,
  { type, date }: CreateTransferInput,
  place: Place | null,
): Promise<MembershipRow | undefined> {
  if (!place) return undefined;
  const day = dayBefore(date);
  const left = await lockMembershipOn(transaction, place, day, type);
  rejectInvalid([
    !left && {
      pointer: '/fromOrganizationId',
      code: 'no_membership',
      detail: `The athlete has no ${type === 'LOAN_RETURN' ? 'membership of type LOAN' : 'membership'} in this organization on ${day}. Create it first.`,
    },
  ]);
  return left;
}

/** The membership that continues after a loan. Throws Problem validation_failed (422) if there is none. */
async function lockLending(transaction: WriteTransaction, { date }: CreateTransferInput, place: Place): Promise<MembershipRow> {
  const row = await lockMembershipOn(transaction, place, date, 'PERMANENT');
  if (row) return row;
  const detail = `The athlete has no membership in this organization on ${date}.`;
  throw new Problem('validation_failed', detail, {
    errors: [{ pointer: '/toOrganizationId', code: 'no_membership', detail }],
  });
}

/** Input of the membership that a transfer starts. */
function newMembership(
  { athleteId, type, date, toOrganizationId, toTeamId, role, contractUntil, shirtNumber, loanUntil }: CreateTransferInput,
  { sport }: ResolvedTransfer,
  left: MembershipRow | undefined,
): CreateMembershipInput {
  const currentRole = type === 'YOUTH_PROMOTION' ? 'PLAYER' : (left?.role ?? 'PLAYER');
  return {
    personType: 'ATHLETE',
    personId: athleteId,
    organizationId: toOrganizationId,
    teamId: toTeamId,
    role: role ?? currentRole,
    type: type === 'LOAN' ? 'LOAN' : 'PERMANENT',
    sport,
    startDate: date,
    endDate: loanUntil,
    contractUntil,
    shirtNumber,
    positions: left?.positions ?? [],
  };
}

const pointers: Readonly<Record<string, string>> = {
  '/personId': '/athleteId',
  '/organizationId': '/toOrganizationId',
  '/teamId': '/toTeamId',
  '/endDate': '/loanUntil',
};

/** Reports the violations of a membership at the members of the transfer that they come from. */
function atTransfer<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
    rejectInvalid(
      (error.extensions.errors ?? []).map((each) => ({
        ...each,
        pointer: pointers[each.pointer ?? ''] ?? each.pointer ?? '',
      })),
    );
    throw error;
  }
}

interface Moved {
  readonly left: MembershipRow | undefined;
  readonly joined: MembershipRow | undefined;
  readonly status: 'PENDING' | 'COMPLETED';
}

/** Ends a loan and continues the membership in the lending organization. */
async function returnFromLoan(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateTransferInput,
  left: MembershipRow,
  place: Place,
): Promise<Moved> {
  const joined = await lockLending(transaction, input, place);
  requireParty(viewer, changesLeft(input, left) ? left : joined);
  await leave(transaction, left, input);
  await recall(transaction, viewer, joined);
  return { left, joined, status: 'COMPLETED' };
}

/** Leaves one organization and joins another, at once or when the other party agrees. */
async function join(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateTransferInput,
  resolved: ResolvedTransfer,
  references: TransferReferences,
  left: MembershipRow | undefined,
  place: Place,
): Promise<Moved> {
  const known = await lockMembershipFrom(transaction, place, input.date, input.type === 'LOAN' ? 'LOAN' : 'PERMANENT');
  if (known && known.id !== left?.id) {
    requireParty(viewer, known);
    if (left && changesLeft(input, left)) requireParty(viewer, left);
    if (left) await leave(transaction, left, input);
    return { left, joined: known, status: 'COMPLETED' };
  }
  const next = newMembership(input, resolved, left);
  const isAgreed = atTransfer(() => resolveMembership(viewer, next, references)).status === 'ACTIVE';
  // two permanent memberships do not overlap, so the athlete leaves first
  if (left && isAgreed) await leave(transaction, left, input);
  const joined = await insertMembership(transaction, viewer, next, references);
  return { left, joined, status: isAgreed ? 'COMPLETED' : 'PENDING' };
}

/** Leaves an organization without joining another. */
async function leaveOnly(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateTransferInput,
  { athlete }: ResolvedTransfer,
  left: MembershipRow | undefined,
): Promise<Moved> {
  if (left) requireParty(viewer, left);
  else if (!owns(viewer, athlete?.accountId ?? null))
    throw new Problem('not_owner', 'Only the account of the athlete can record a retirement without `fromOrganizationId`.');
  if (left) await leave(transaction, left, input);
  return { left, joined: undefined, status: 'COMPLETED' };
}

const teamOf = (teamId: string | null | undefined, membership: MembershipRow | undefined): string | null =>
  teamId ?? membership?.teamId ?? null;

/** The organizations, teams and memberships of a transfer. */
const placesOf = (
  { fromOrganizationId, fromTeamId, toOrganizationId, toTeamId }: CreateTransferInput,
  left: MembershipRow | undefined,
  joined: MembershipRow | undefined,
) => ({
  fromOrganizationId,
  fromTeamId: teamOf(fromTeamId, left),
  fromMembershipId: left?.id ?? null,
  toOrganizationId,
  toTeamId: teamOf(toTeamId, joined),
  toMembershipId: joined?.id ?? null,
});

/** The values of a transfer after its memberships changed. */
function transferValues(
  input: CreateTransferInput,
  { athlete, from, to, sport }: ResolvedTransfer,
  { left, joined, status }: Moved,
): InputPatch<TransferRow> & { readonly accountId: string } {
  const { type, date, athleteId, fee, loanUntil } = input;
  const personAccountId = athlete?.accountId ?? '';
  const agreedEnd = type === 'LOAN' ? (joined?.endDate ?? null) : null;
  return {
    accountId: to.organization?.accountId ?? from.organization?.accountId ?? personAccountId,
    fromAccountId: from.organization?.accountId ?? null,
    personAccountId,
    status,
    type,
    date,
    athleteId,
    sport,
    ...placesOf(input, left, joined),
    fee: fee && { ...fee, disclosed: fee.disclosed ?? true },
    loanUntil: loanUntil ?? agreedEnd,
  };
}

/**
 * Changes the memberships of an athlete and returns the values of the transfer.
 * Throws Problem validation_failed (422), not_owner (403) and conflict (409).
 */
export async function moveAthlete(
  transaction: WriteTransaction,
  viewer: Viewer,
  input: CreateTransferInput,
  references: TransferReferences,
): Promise<InputPatch<TransferRow> & { readonly accountId: string }> {
  const resolved = resolveTransfer(viewer, input, references);
  rejectInvalid(transferViolations(input, resolved));
  const { type, fromOrganizationId, fromTeamId, toOrganizationId, toTeamId } = input;
  await lockOrganizations(transaction, [fromOrganizationId, toOrganizationId]);
  const left = await lockLeft(transaction, input, placeOf(input, resolved, fromOrganizationId, fromTeamId));
  const place = placeOf(input, resolved, toOrganizationId, toTeamId);
  const move = (): Promise<Moved> => {
    if (!place) return leaveOnly(transaction, viewer, input, resolved, left);
    if (type === 'LOAN_RETURN' && left) return returnFromLoan(transaction, viewer, input, left, place);
    return join(transaction, viewer, input, resolved, references, left, place);
  };
  return transferValues(input, resolved, await move());
}

/** Demo data of transfers: how members joined, and how former members left. */
import { openRandom } from '../../../platform/random.ts';
import type { DemoAthlete, DemoData, DemoLevel, DemoMembership, DemoOrganization } from '../../../schema/demo.ts';
import type { AddRow } from '../../runtime/area-seed.ts';
import { dayAfter } from '../memberships/days.ts';
import type { TransferRow } from '../transfers/rows.ts';

/** Typical fees in whole EUR. */
const fees: Readonly<Partial<Record<DemoLevel, number>>> = { PROFESSIONAL: 900_000, INTERNATIONAL: 6_000_000 };

type Move = Pick<TransferRow, 'type' | 'date' | 'loanUntil'> & { readonly joins: boolean; readonly fee: string | null };

/** The transfer that a membership shows: a paid arrival, a loan, or the end of a membership. Null for others. */
function moveOf({ id, level, age }: DemoAthlete, membership: DemoMembership): Move | null {
  const random = openRandom(`${id}/transfer`);
  const { type, status, startDate, endDate, contractUntil } = membership;
  if (status === 'ENDED' && endDate !== null && type === 'PERMANENT')
    return { type: age > 32 ? 'RETIREMENT' : 'FREE', date: dayAfter(endDate), loanUntil: null, joins: false, fee: null };
  if (status === 'ACTIVE' && type === 'LOAN')
    return { type: 'LOAN', date: startDate, loanUntil: endDate, joins: true, fee: null };
  if (type !== 'PERMANENT' || contractUntil === null) return null;
  if (random.chance(0.4)) return { type: 'FREE', date: startDate, loanUntil: null, joins: true, fee: null };
  const typical = fees[level] ?? 100_000;
  const amountMinor = Math.round(random.normal(typical, typical / 2, typical / 20) / 5_000) * 500_000;
  const fee = random.chance(0.3) ? { disclosed: false } : { disclosed: true, amountMinor, currency: 'EUR' };
  return { type: 'PERMANENT', date: startDate, loanUntil: null, joins: true, fee: JSON.stringify(fee) };
}

/** Adds the transfer of a member of an organization, if the membership shows one. */
export function addTransfer(athlete: DemoAthlete, organization: DemoOrganization, demo: DemoData, add: AddRow): void {
  const { membership } = athlete;
  const move = membership && moveOf(athlete, membership);
  if (!move) return;
  const { joins, ...values } = move;
  const side = { organizationId: organization.id, teamId: membership.teamId, membershipId: membership.id };
  const none = { organizationId: null, teamId: null, membershipId: null };
  const [from, to] = joins ? [none, side] : [side, none];
  add('transfer', {
    id: openRandom(`${membership.id}/transfer`).uuid(),
    accountId: demo.account.id,
    fromAccountId: joins ? null : demo.account.id,
    personAccountId: demo.account.id,
    createdAt: membership.createdAt,
    updatedAt: membership.createdAt,
    status: 'COMPLETED',
    ...values,
    athleteId: athlete.id,
    sport: athlete.sport,
    fromOrganizationId: from.organizationId,
    fromTeamId: from.teamId,
    fromMembershipId: from.membershipId,
    toOrganizationId: to.organizationId,
    toTeamId: to.teamId,
    toMembershipId: to.membershipId,
  });
}

/** Lifecycle of an opportunity: transitions, automatic closing at the deadline, and the requirements of publication. */
import type { Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { OrganizationOwner } from '../../clients/organization-owners.ts';
import type { OpportunityStatus } from '../generated/resolvers.ts';
import type { OpportunityRow } from './rows.ts';

/** Applicants are the COUNTERPART: accepting the last opening fills the opportunity, and releasing an opening frees it. The owner can then reopen it. */
export const opportunityTransitions = {
  publish: { from: ['DRAFT'], to: 'PUBLISHED', actors: ['OWNER'] },
  pause: { from: ['PUBLISHED'], to: 'PAUSED', actors: ['OWNER'] },
  resume: { from: ['PAUSED'], to: 'PUBLISHED', actors: ['OWNER'] },
  close: { from: ['PUBLISHED', 'PAUSED'], to: 'CLOSED', actors: ['OWNER', 'TIMER'] },
  reopen: { from: ['CLOSED'], to: 'PUBLISHED', actors: ['OWNER'] },
  cancel: { from: ['PUBLISHED', 'PAUSED', 'CLOSED', 'FILLED'], to: 'CANCELLED', actors: ['OWNER'] },
  archive: { from: ['CLOSED', 'FILLED', 'CANCELLED'], to: 'ARCHIVED', actors: ['OWNER'] },
  fill: { from: ['PUBLISHED', 'PAUSED', 'CLOSED'], to: 'FILLED', actors: ['COUNTERPART'] },
  free: { from: ['FILLED'], to: 'CLOSED', actors: ['COUNTERPART'] },
} as const satisfies Transitions<OpportunityStatus, string>;

export type OpportunityVerb = keyof typeof opportunityTransitions;

/** The transitions that the owner can request. */
export type OwnerVerb = Exclude<OpportunityVerb, 'fill' | 'free'>;

/** The status for a number of remaining openings: a public opportunity without openings is FILLED. */
export function statusForOpenings(status: OpportunityStatus, remainingOpenings: number): OpportunityStatus {
  const { fill, free } = opportunityTransitions;
  const transition: { readonly from: readonly OpportunityStatus[]; readonly to: OpportunityStatus } =
    remainingOpenings === 0 ? fill : free;
  return transition.from.includes(status) ? transition.to : status;
}

interface StoredStatus {
  readonly status: OpportunityStatus;
  readonly applicationDeadline: string;
}

/**
 * The status of an opportunity at a point in time. It is CLOSED from its deadline on, even before the timer stores that status.
 * Reads, filters and transitions use this status; opportunities/filter.ts has the same rule in SQL.
 */
export function statusAt({ status, applicationDeadline }: StoredStatus, now: number = Date.now()): OpportunityStatus {
  const open = status === 'PUBLISHED' || status === 'PAUSED';
  return open && Date.parse(applicationDeadline) <= now ? 'CLOSED' : status;
}

/** The violation if the deadline is not in the future. */
export function deadlineViolation(applicationDeadline: string, now: number = Date.now()): Violation | null {
  if (Date.parse(applicationDeadline) > now) return null;
  const detail = 'The application deadline of a published opportunity must be in the future.';
  return { pointer: '/applicationDeadline', code: 'in_past', detail };
}

/** The violation if applications do not open before the deadline. */
export function openingViolation(opensAt: string | null | undefined, deadline: string | null | undefined): Violation | null {
  if (!opensAt || !deadline || Date.parse(opensAt) < Date.parse(deadline)) return null;
  return { pointer: '/applicationOpensAt', code: 'after_deadline', detail: 'Applications must open before the deadline.' };
}

/** The violation if the organization is not active. */
export function inactiveViolation(organization: OrganizationOwner | undefined): Violation | null {
  if (organization?.status === 'ACTIVE') return null;
  const detail = 'The organization is not active. Activate it before you publish opportunities.';
  return { pointer: '/organizationId', code: 'not_active', detail };
}

/** The violation if minors may apply but the organization is not verified or names no safeguarding officer (docs/minors.md). */
export function minorsViolation(
  minorsAllowed: boolean | null | undefined,
  organization: OrganizationOwner | undefined,
): Violation | null {
  if (minorsAllowed !== true || (organization?.verified === true && organization.safeguarded)) return null;
  const detail = 'Only a verified organization with a safeguarding officer can accept applications of minors.';
  return { pointer: '/minorsAllowed', code: 'safeguarding_required', detail };
}

/** The violations that prevent the publication of an existing opportunity. Pass the row with its new deadline. */
export function publishViolations(
  row: Pick<OpportunityRow, 'applicationOpensAt' | 'applicationDeadline' | 'minorsAllowed'>,
  organization: OrganizationOwner | undefined,
  now?: number,
): (Violation | null)[] {
  return [
    deadlineViolation(row.applicationDeadline, now),
    openingViolation(row.applicationOpensAt, row.applicationDeadline),
    inactiveViolation(organization),
    minorsViolation(row.minorsAllowed, organization),
  ];
}

/** The violation of an update that moves the deadline. The deadline of an open opportunity stays in the future; only `reopen` moves a past one. */
export function movedDeadlineViolation(
  before: StoredStatus,
  applicationDeadline: string | null | undefined,
  now: number = Date.now(),
): Violation | null {
  if (!applicationDeadline || Date.parse(applicationDeadline) === Date.parse(before.applicationDeadline)) return null;
  const status = statusAt(before, now);
  if (status === 'DRAFT') return null;
  if (status === 'PUBLISHED' || status === 'PAUSED') return deadlineViolation(applicationDeadline, now);
  const detail = 'The opportunity is closed. Reopen it with a new deadline.';
  return { pointer: '/applicationDeadline', code: 'closed', detail };
}

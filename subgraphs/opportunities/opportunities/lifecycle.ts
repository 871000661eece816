/** The life of an opportunity: its steps, when its deadline closes it, and what a publication needs. */
import type { Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { OrganizationOwner } from '../../clients/organization-owners.ts';
import type { OpportunityStatus } from '../resolvers.generated.ts';
import type { OpportunityRow } from './reads.ts';

/** Applicants are the COUNTERPART: the last opening that they accept fills it, and one that they give back frees it, for its owner to reopen. */
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

/** The steps that an owner asks for. */
export type OwnerVerb = Exclude<OpportunityVerb, 'fill' | 'free'>;

/** The state that follows from how many openings are left: FILLED is what was public and has none. */
export function statusForOpenings(status: OpportunityStatus, remainingOpenings: number): OpportunityStatus {
  const { fill, free } = opportunityTransitions;
  if (remainingOpenings === 0) return (fill.from as readonly OpportunityStatus[]).includes(status) ? fill.to : status;
  return (free.from as readonly OpportunityStatus[]).includes(status) ? free.to : status;
}

interface Stored {
  readonly status: OpportunityStatus;
  readonly applicationDeadline: string;
}

/**
 * The state an opportunity is in at a moment: its deadline closes it in that moment, whenever the timer comes to write it down.
 * Reads, filters and steps go by this one; store/opportunity-filter.ts says the same in SQL.
 */
export function statusAt({ status, applicationDeadline }: Stored, now: number = Date.now()): OpportunityStatus {
  const open = status === 'PUBLISHED' || status === 'PAUSED';
  return open && Date.parse(applicationDeadline) <= now ? 'CLOSED' : status;
}

/** The fault of a deadline that is not in the future. */
export function deadlineViolation(applicationDeadline: string, now: number = Date.now()): Violation | null {
  if (Date.parse(applicationDeadline) > now) return null;
  return { pointer: '/applicationDeadline', code: 'in_past', detail: 'The deadline of a public opportunity lies in the future.' };
}

/** The fault of applications that open when they close. */
export function openingViolation(opensAt: string | null | undefined, deadline: string | null | undefined): Violation | null {
  if (!opensAt || !deadline || Date.parse(opensAt) < Date.parse(deadline)) return null;
  return { pointer: '/applicationOpensAt', code: 'after_deadline', detail: 'Applications open before the deadline.' };
}

/** The fault of publishing for an organization that is not active. */
export function inactiveViolation(organization: OrganizationOwner | undefined): Violation | null {
  if (organization?.status === 'ACTIVE') return null;
  const detail = 'Only an active organization publishes opportunities: activate it first.';
  return { pointer: '/organizationId', code: 'not_active', detail };
}

/** The fault of welcoming minors without an organization that looks after them (docs/minors.md). */
export function minorsViolation(
  minorsAllowed: boolean | null | undefined,
  organization: OrganizationOwner | undefined,
): Violation | null {
  if (minorsAllowed !== true || (organization?.verified === true && organization.safeguarded)) return null;
  const detail = 'Minors may apply only to a verified organization that names a safeguarding officer.';
  return { pointer: '/minorsAllowed', code: 'safeguarding_required', detail };
}

/** What keeps an opportunity that exists from becoming public, with the deadline it will have. */
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

/**
 * The fault of a deadline that an edit moves: a public one stays in the future, and one that is over is moved by `reopen` alone.
 */
export function movedDeadlineViolation(
  before: Stored,
  applicationDeadline: string | null | undefined,
  now: number = Date.now(),
): Violation | null {
  if (!applicationDeadline || Date.parse(applicationDeadline) === Date.parse(before.applicationDeadline)) return null;
  const status = statusAt(before, now);
  if (status === 'DRAFT') return null;
  if (status === 'PUBLISHED' || status === 'PAUSED') return deadlineViolation(applicationDeadline, now);
  return { pointer: '/applicationDeadline', code: 'closed', detail: 'The opportunity is closed: reopen it with a new deadline.' };
}

/** The life of an application: what each of its two sides may do, when an offer expires, and what a step needs (docs/domain-model.md). */
import { Problem, type Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { AthleteFacts } from '../../clients/athlete-facts.ts';
import type { OrganizationOwner } from '../../clients/organization-owners.ts';
import { minorsViolation, statusAt as opportunityStatusAt } from '../opportunities/lifecycle.ts';
import type { ApplicationStatus } from '../resolvers.generated.ts';
import type { OpportunityRow } from '../opportunities/reads.ts';

/** The OWNER is the account of the athlete, the COUNTERPART that of the opportunity. */
export const applicationTransitions = {
  submit: { from: ['DRAFT'], to: 'SUBMITTED', actors: ['OWNER'] },
  withdraw: {
    from: ['SUBMITTED', 'UNDER_REVIEW', 'SHORTLISTED', 'INVITED', 'WAITLISTED', 'OFFERED', 'ACCEPTED'],
    to: 'WITHDRAWN',
    actors: ['OWNER'],
  },
  accept: { from: ['OFFERED'], to: 'ACCEPTED', actors: ['OWNER'] },
  decline: { from: ['INVITED', 'OFFERED'], to: 'DECLINED', actors: ['OWNER'] },
  review: { from: ['SUBMITTED', 'WAITLISTED'], to: 'UNDER_REVIEW', actors: ['COUNTERPART'] },
  shortlist: { from: ['UNDER_REVIEW', 'WAITLISTED'], to: 'SHORTLISTED', actors: ['COUNTERPART'] },
  invite: { from: ['UNDER_REVIEW', 'SHORTLISTED', 'WAITLISTED'], to: 'INVITED', actors: ['COUNTERPART'] },
  waitlist: { from: ['UNDER_REVIEW', 'SHORTLISTED', 'INVITED'], to: 'WAITLISTED', actors: ['COUNTERPART'] },
  offer: { from: ['UNDER_REVIEW', 'SHORTLISTED', 'INVITED', 'WAITLISTED'], to: 'OFFERED', actors: ['COUNTERPART'] },
  rescind: { from: ['OFFERED', 'ACCEPTED'], to: 'RESCINDED', actors: ['COUNTERPART'] },
  reject: {
    from: ['SUBMITTED', 'UNDER_REVIEW', 'SHORTLISTED', 'INVITED', 'WAITLISTED'],
    to: 'REJECTED',
    actors: ['COUNTERPART'],
  },
  enroll: { from: ['ACCEPTED'], to: 'ENROLLED', actors: ['COUNTERPART'] },
  expire: { from: ['OFFERED'], to: 'EXPIRED', actors: ['TIMER'] },
} as const satisfies Transitions<ApplicationStatus, string>;

export type ApplicationVerb = keyof typeof applicationTransitions;

/** The states that take an opening. */
export const admittedStates: readonly ApplicationStatus[] = ['ACCEPTED', 'ENROLLED'];

/** The states in which an application lives: it is with the account of the opportunity, and not over. */
export const activeStates: readonly ApplicationStatus[] = [
  'SUBMITTED',
  'UNDER_REVIEW',
  'SHORTLISTED',
  'INVITED',
  'WAITLISTED',
  'OFFERED',
  'ACCEPTED',
  'ENROLLED',
];

interface Offered {
  readonly status: ApplicationStatus;
  readonly offerExpiresAt: string | null;
}

/** The state an application is in at a moment: an offer expires in its moment, whenever the timer comes to write it down. */
export function statusAt({ status, offerExpiresAt }: Offered, now: number = Date.now()): ApplicationStatus {
  return status === 'OFFERED' && offerExpiresAt !== null && Date.parse(offerExpiresAt) <= now ? 'EXPIRED' : status;
}

/** The longest an offer may stand, in days: who forgets an offer does not bind the organization for ever. */
const offerDaysMax = 366;

/** The fault of an offer that ends in the past, or too late. */
export function offerViolation(expiresAt: string | null | undefined, now: number = Date.now()): Violation | null {
  if (!expiresAt) return null;
  const inMs = Date.parse(expiresAt) - now;
  if (inMs > 0 && inMs <= offerDaysMax * 86_400_000) return null;
  const detail = `An offer expires in the future, within ${offerDaysMax} days.`;
  return { pointer: '/expiresAt', code: inMs <= 0 ? 'in_past' : 'too_late', detail };
}

/** What a step needs of the world around the application; what is not named needs nothing. */
interface Needs {
  /** OPEN: it takes applications now. RUNNING: it is neither called off nor put away, and its organization is active. */
  readonly opportunity: 'OPEN' | 'RUNNING';
  /** The athlete is active; of a minor, the opportunity welcomes minors and its organization looks after them. */
  readonly athlete?: true;
  /** Guardians of a minor consent to be contacted. */
  readonly contact?: true;
  /** An opening is left. */
  readonly opening?: true;
}

export const transitionRequirements: Partial<Record<ApplicationVerb, Needs>> = {
  submit: { opportunity: 'OPEN', athlete: true },
  invite: { opportunity: 'RUNNING', athlete: true, contact: true },
  offer: { opportunity: 'RUNNING', athlete: true, contact: true, opening: true },
  accept: { opportunity: 'RUNNING', opening: true },
  enroll: { opportunity: 'RUNNING' },
};

export interface TransitionContext {
  readonly opportunity: OpportunityRow;
  readonly organization: OrganizationOwner | undefined;
  readonly athlete: AthleteFacts | undefined;
}

function openViolation(opportunity: OpportunityRow, now: number): Violation | null {
  const { applicationOpensAt } = opportunity;
  const begun = applicationOpensAt === null || Date.parse(applicationOpensAt) <= now;
  if (begun && opportunity.organizationPublic && opportunityStatusAt(opportunity, now) === 'PUBLISHED') return null;
  const detail = begun ? 'This opportunity takes no applications now.' : `Applications open at ${applicationOpensAt}.`;
  return { pointer: '/opportunityId', code: 'not_open', detail };
}

function runningViolation({ status }: OpportunityRow, organization: OrganizationOwner | undefined): Violation | false {
  const over = status === 'CANCELLED' || status === 'ARCHIVED';
  if (!over && organization?.status === 'ACTIVE') return false;
  const detail = over ? `The opportunity is ${status}.` : 'The organization of the opportunity is not active.';
  return { pointer: '/opportunityId', code: 'not_running', detail };
}

function refuseUnconsented(athlete: AthleteFacts | undefined, scope: 'PROFILE' | 'CONTACT'): void {
  if (!athlete?.minor || athlete.consentScopes.includes(scope)) return;
  const detail =
    scope === 'PROFILE'
      ? 'A minor, or an athlete of unknown age, applies only with the consent of a guardian.'
      : 'A minor is invited, or made an offer, only with the consent of a guardian to be contacted.';
  throw new Problem('consent_required', detail, { missingScopes: [scope] });
}

function minorViolations({ opportunity, organization, athlete }: TransitionContext): (Violation | null | false)[] {
  if (!athlete?.minor) return [];
  return [
    !opportunity.minorsAllowed && {
      pointer: '/athleteId',
      code: 'minors_not_allowed',
      detail: 'Minors, and athletes of unknown age, may not apply to this opportunity.',
    },
    minorsViolation(opportunity.minorsAllowed, organization),
  ];
}

/**
 * What keeps a step from being taken, apart from the state and the side.
 * Throws Problem openings_exhausted (409), and consent_required (409, with missingScopes) for a minor.
 */
export function transitionViolations(
  verb: ApplicationVerb,
  around: TransitionContext,
  now: number = Date.now(),
): (Violation | null | false)[] {
  const needs: Needs | undefined = transitionRequirements[verb];
  if (!needs) return [];
  const { opportunity, organization, athlete } = around;
  const violations = [
    runningViolation(opportunity, organization) || (needs.opportunity === 'OPEN' && openViolation(opportunity, now)),
    ...(needs.athlete ? minorViolations(around) : []),
  ];
  if (violations.some((violation) => !!violation)) return violations;
  if (needs.opening && opportunity.remainingOpenings < 1)
    throw new Problem('openings_exhausted', 'Every opening of this opportunity is taken.');
  if (needs.athlete) refuseUnconsented(athlete, 'PROFILE');
  if (needs.contact) refuseUnconsented(athlete, 'CONTACT');
  return [
    needs.athlete === true &&
      athlete?.status !== 'ACTIVE' && { pointer: '/athleteId', code: 'not_active', detail: 'The athlete is not active.' },
  ];
}

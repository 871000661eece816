/** Lifecycle of an application: transitions of both sides, expiry of offers, and the requirements of each transition (docs/domain-model.md). */
import { Problem, type Violation } from '../../../schema/errors.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { AthleteFacts } from '../../clients/athlete-facts.ts';
import type { OrganizationOwner } from '../../clients/organization-owners.ts';
import { minorsViolation, statusAt as opportunityStatusAt } from '../opportunities/lifecycle.ts';
import type { OpportunityRow } from '../opportunities/rows.ts';
import type { ApplicationStatus } from '../generated/resolvers.ts';

/** The OWNER is the account of the athlete, the COUNTERPART the account of the opportunity. */
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

/** The statuses that fill an opening. */
export const admittedStates: readonly ApplicationStatus[] = ['ACCEPTED', 'ENROLLED'];

/** The statuses of an active application: submitted to the account of the opportunity and not ended. */
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

interface StoredStatus {
  readonly status: ApplicationStatus;
  readonly offerExpiresAt: string | null;
}

/** The status of an application at a point in time. An offer is EXPIRED from its expiry time on, even before the timer stores that status. */
export function statusAt({ status, offerExpiresAt }: StoredStatus, now: number = Date.now()): ApplicationStatus {
  return status === 'OFFERED' && offerExpiresAt !== null && Date.parse(offerExpiresAt) <= now ? 'EXPIRED' : status;
}

/** The longest validity of an offer in days, so that a forgotten offer does not bind the organization forever. */
const offerDaysMax = 366;

/** The violation if an offer expires in the past or too late. */
export function offerViolation(expiresAt: string | null | undefined, now: number = Date.now()): Violation | null {
  if (!expiresAt) return null;
  const inMs = Date.parse(expiresAt) - now;
  if (inMs > 0 && inMs <= offerDaysMax * 86_400_000) return null;
  const detail = `\`expiresAt\` must be in the future, at most ${offerDaysMax} days from now.`;
  return { pointer: '/expiresAt', code: inMs <= 0 ? 'in_past' : 'too_late', detail };
}

/** The requirements of a transition. An absent member requires nothing. */
interface Requirements {
  /** OPEN: it accepts applications now. RUNNING: it is neither canceled nor archived, and its organization is active. */
  readonly opportunity: 'OPEN' | 'RUNNING';
  /** The athlete is active. A minor also requires an opportunity for minors and an organization with safeguarding. */
  readonly athlete?: true;
  /** Guardians of a minor consent to CONTACT. */
  readonly contact?: true;
  /** The opportunity has a remaining opening. */
  readonly opening?: true;
}

export const transitionRequirements: Partial<Record<ApplicationVerb, Requirements>> = {
  submit: { opportunity: 'OPEN', athlete: true },
  invite: { opportunity: 'RUNNING', athlete: true, contact: true },
  offer: { opportunity: 'RUNNING', athlete: true, contact: true, opening: true },
  accept: { opportunity: 'RUNNING', opening: true },
  enroll: { opportunity: 'RUNNING' },
};

/** The resources that the requirements of a transition refer to. */
export interface TransitionContext {
  readonly opportunity: OpportunityRow;
  readonly organization: OrganizationOwner | undefined;
  readonly athlete: AthleteFacts | undefined;
}

function openViolation(opportunity: OpportunityRow, now: number): Violation | null {
  const { applicationOpensAt } = opportunity;
  const hasOpened = applicationOpensAt === null || Date.parse(applicationOpensAt) <= now;
  if (hasOpened && opportunity.organizationPublic && opportunityStatusAt(opportunity, now) === 'PUBLISHED') return null;
  const detail = hasOpened ? 'This opportunity does not accept applications.' : `Applications open at ${applicationOpensAt}.`;
  return { pointer: '/opportunityId', code: 'not_open', detail };
}

function runningViolation({ status }: OpportunityRow, organization: OrganizationOwner | undefined): Violation | false {
  const ended = status === 'CANCELLED' || status === 'ARCHIVED';
  if (!ended && organization?.status === 'ACTIVE') return false;
  const detail = ended ? `The opportunity is ${status}.` : 'The organization of the opportunity is not active.';
  return { pointer: '/opportunityId', code: 'not_running', detail };
}

const consentDetails = {
  PROFILE: "A minor, or an athlete of unknown age, can apply only with a guardian's PROFILE consent.",
  CONTACT: "A minor, or an athlete of unknown age, can be invited or receive an offer only with a guardian's CONTACT consent.",
};

/** Throws Problem consent_required (409, with missingScopes) for a minor without the consent. */
function requireConsent(athlete: AthleteFacts | undefined, scope: keyof typeof consentDetails): void {
  if (!athlete?.minor || athlete.consentScopes.includes(scope)) return;
  throw new Problem('consent_required', consentDetails[scope], { missingScopes: [scope] });
}

function minorViolations({ opportunity, organization, athlete }: TransitionContext): (Violation | null | false)[] {
  if (!athlete?.minor) return [];
  return [
    !opportunity.minorsAllowed && {
      pointer: '/athleteId',
      code: 'minors_not_allowed',
      detail: 'This opportunity does not accept minors or athletes of unknown age.',
    },
    minorsViolation(opportunity.minorsAllowed, organization),
  ];
}

/**
 * The unmet requirements of a transition, apart from the status and the actor.
 * Throws Problem openings_exhausted (409), and consent_required (409, with missingScopes) for a minor.
 */
export function transitionViolations(
  verb: ApplicationVerb,
  context: TransitionContext,
  now: number = Date.now(),
): (Violation | null | false)[] {
  const required = transitionRequirements[verb];
  if (!required) return [];
  const { opportunity, organization, athlete } = context;
  const violations = [
    runningViolation(opportunity, organization) || (required.opportunity === 'OPEN' && openViolation(opportunity, now)),
    ...(required.athlete ? minorViolations(context) : []),
  ];
  if (violations.some((violation) => !!violation)) return violations;
  if (required.opening && opportunity.remainingOpenings < 1)
    throw new Problem('openings_exhausted', 'All openings of this opportunity are filled.');
  if (required.athlete) requireConsent(athlete, 'PROFILE');
  if (required.contact) requireConsent(athlete, 'CONTACT');
  return [
    required.athlete === true &&
      athlete?.status !== 'ACTIVE' && { pointer: '/athleteId', code: 'not_active', detail: 'The athlete is not active.' },
  ];
}

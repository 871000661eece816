/** The transitions of applications, the expiry of offers, and the requirements of transitions. */
import type { AthleteFacts } from '../../../subgraphs/clients/athlete-facts.ts';
import { describe, expect, test } from '@jest/globals';
import {
  applicationTransitions,
  activeStates,
  transitionViolations,
  offerViolation,
  statusAt,
  type ApplicationVerb,
  type TransitionContext,
} from '../../../subgraphs/opportunities/applications/lifecycle.ts';
import { statusForOpenings } from '../../../subgraphs/opportunities/opportunities/lifecycle.ts';
import type { ApplicationStatus, OpportunityStatus } from '../../../subgraphs/opportunities/generated/resolvers.ts';
import type { OpportunityRow } from '../../../subgraphs/opportunities/opportunities/rows.ts';
import { testTransitionTable } from '../runtime/transition-table.ts';

const over: ApplicationStatus[] = ['REJECTED', 'WITHDRAWN', 'DECLINED', 'EXPIRED', 'RESCINDED'];
const states: ApplicationStatus[] = ['DRAFT', ...activeStates, ...over];
const now = Date.parse('2026-11-21T12:00:00.000Z');
const past = '2026-11-21T12:00:00.000Z';
const future = '2026-11-21T12:00:00.001Z';

describe('transitions', () => {
  testTransitionTable('application', applicationTransitions, states, [
    'OWNER DRAFT submit SUBMITTED',
    ...['SUBMITTED', 'UNDER_REVIEW', 'SHORTLISTED', 'INVITED', 'WAITLISTED', 'OFFERED', 'ACCEPTED'].map(
      (state) => `OWNER ${state} withdraw WITHDRAWN`,
    ),
    'OWNER OFFERED accept ACCEPTED',
    'OWNER INVITED decline DECLINED',
    'OWNER OFFERED decline DECLINED',
    'COUNTERPART SUBMITTED review UNDER_REVIEW',
    'COUNTERPART WAITLISTED review UNDER_REVIEW',
    'COUNTERPART UNDER_REVIEW shortlist SHORTLISTED',
    'COUNTERPART WAITLISTED shortlist SHORTLISTED',
    'COUNTERPART UNDER_REVIEW invite INVITED',
    'COUNTERPART SHORTLISTED invite INVITED',
    'COUNTERPART WAITLISTED invite INVITED',
    'COUNTERPART UNDER_REVIEW waitlist WAITLISTED',
    'COUNTERPART SHORTLISTED waitlist WAITLISTED',
    'COUNTERPART INVITED waitlist WAITLISTED',
    'COUNTERPART UNDER_REVIEW offer OFFERED',
    'COUNTERPART SHORTLISTED offer OFFERED',
    'COUNTERPART INVITED offer OFFERED',
    'COUNTERPART WAITLISTED offer OFFERED',
    'COUNTERPART OFFERED rescind RESCINDED',
    'COUNTERPART ACCEPTED rescind RESCINDED',
    ...['SUBMITTED', 'UNDER_REVIEW', 'SHORTLISTED', 'INVITED', 'WAITLISTED'].map(
      (state) => `COUNTERPART ${state} reject REJECTED`,
    ),
    'COUNTERPART ACCEPTED enroll ENROLLED',
    'TIMER OFFERED expire EXPIRED',
  ]);
});

describe('an offer', () => {
  test('expires on time, and only in status OFFERED', () => {
    const after = states.map((status) => statusAt({ status, offerExpiresAt: past }, now));
    expect(after).toEqual(states.map((status) => (status === 'OFFERED' ? 'EXPIRED' : status)));
    for (const offerExpiresAt of [future, null])
      expect(states.map((status) => statusAt({ status, offerExpiresAt }, now))).toEqual(states);
  });

  test('must expire in the future, within a year', () => {
    expect(offerViolation(past, now)?.code).toBe('in_past');
    expect(offerViolation('2028-01-01T00:00:00Z', now)?.code).toBe('too_late');
    for (const good of [future, null, undefined]) expect(offerViolation(good, now)).toBeNull();
  });
});

describe('a transition', () => {
  const opportunity = {
    status: 'PUBLISHED',
    applicationDeadline: '2026-12-01T00:00:00.000Z',
    applicationOpensAt: null,
    organizationPublic: true,
    minorsAllowed: true,
    remainingOpenings: 1,
  } as unknown as OpportunityRow;
  const organization = {
    id: 'club',
    version: 1,
    accountId: 'club',
    status: 'ACTIVE',
    verified: true,
    safeguarded: true,
  } as const;
  const adult: AthleteFacts = {
    id: 'a',
    accountId: 'b',
    status: 'ACTIVE',
    public: true,
    minor: false,
    consentScopes: [],
    sports: [],
  };
  const minor: AthleteFacts = { ...adult, minor: true, consentScopes: ['PROFILE', 'CONTACT'] };
  const base: TransitionContext = { opportunity, organization, athlete: adult };
  /** The code of the first violation or of the thrown problem. */
  const firstCode = (verb: ApplicationVerb, around: Partial<TransitionContext>): string | undefined => {
    try {
      return transitionViolations(verb, { ...base, ...around }, now).find((violation) => !!violation)?.code;
    } catch (problem) {
      return (problem as { code: string }).code;
    }
  };
  const withOpportunity = (change: Partial<OpportunityRow>) => ({ opportunity: { ...opportunity, ...change } });

  test('is allowed if all requirements are met, also for a minor with consent', () => {
    const verbs = Object.keys(applicationTransitions) as ApplicationVerb[];
    for (const athlete of [adult, minor])
      expect(verbs.map((verb) => firstCode(verb, { athlete }))).toEqual(verbs.map(() => undefined));
  });

  test('that ends or reviews an application has no requirements', () => {
    const ended = {
      ...withOpportunity({ status: 'CANCELLED', remainingOpenings: 0 }),
      organization: undefined,
      athlete: undefined,
    };
    const free: ApplicationVerb[] = ['withdraw', 'decline', 'review', 'shortlist', 'waitlist', 'rescind', 'reject', 'expire'];
    expect(free.map((verb) => firstCode(verb, ended))).toEqual(free.map(() => undefined));
    const forward: ApplicationVerb[] = ['submit', 'invite', 'offer', 'accept', 'enroll'];
    expect(forward.map((verb) => firstCode(verb, ended))).toEqual(forward.map(() => 'not_running'));
  });

  test.each([
    ['is paused', { status: 'PAUSED' }],
    ['is past its deadline', { applicationDeadline: past }],
    ['is not open yet', { applicationOpensAt: future }],
    ['is hidden with its organization', { organizationPublic: false }],
    ['is filled', { status: 'FILLED', remainingOpenings: 0 }],
  ] as const)('to SUBMITTED is rejected while the opportunity %s', (_, change) => {
    expect(firstCode('submit', withOpportunity(change))).toBe('not_open');
  });

  test('requires an active organization', () => {
    const suspended = { organization: { ...organization, status: 'SUSPENDED' } as const };
    for (const verb of ['submit', 'invite', 'offer', 'accept', 'enroll'] as const)
      expect(firstCode(verb, suspended)).toBe('not_running');
  });

  test('of a minor requires an opportunity for minors, a safeguarding organization and consent', () => {
    for (const verb of ['submit', 'invite', 'offer'] as const) {
      expect(firstCode(verb, { athlete: minor, ...withOpportunity({ minorsAllowed: false }) })).toBe('minors_not_allowed');
      for (const lack of [{ verified: false }, { safeguarded: false }])
        expect(firstCode(verb, { athlete: minor, organization: { ...organization, ...lack } })).toBe('safeguarding_required');
      expect(firstCode(verb, { athlete: { ...minor, consentScopes: [] } })).toBe('consent_required');
    }
    const only: AthleteFacts = { ...minor, consentScopes: ['PROFILE'] };
    expect(['submit', 'invite', 'offer'].map((verb) => firstCode(verb as ApplicationVerb, { athlete: only }))).toEqual([
      undefined,
      'consent_required',
      'consent_required',
    ]);
  });

  test('to an offer or invitation requires an active athlete', () => {
    for (const athlete of [{ ...adult, status: 'INACTIVE' as const }, undefined])
      for (const verb of ['submit', 'invite', 'offer'] as const) expect(firstCode(verb, { athlete })).toBe('not_active');
  });

  test('to an offer or acceptance requires a remaining opening', () => {
    for (const verb of ['offer', 'accept'] as const)
      expect(firstCode(verb, withOpportunity({ status: 'FILLED', remainingOpenings: 0 }))).toBe('openings_exhausted');
  });
});

test('an opportunity is FILLED without remaining openings, and CLOSED when one is released', () => {
  const all: OpportunityStatus[] = ['DRAFT', 'PUBLISHED', 'PAUSED', 'CLOSED', 'FILLED', 'CANCELLED', 'ARCHIVED'];
  expect(all.map((status) => statusForOpenings(status, 0))).toEqual([
    'DRAFT',
    'FILLED',
    'FILLED',
    'FILLED',
    'FILLED',
    'CANCELLED',
    'ARCHIVED',
  ]);
  expect(all.map((status) => statusForOpenings(status, 1))).toEqual([
    'DRAFT',
    'PUBLISHED',
    'PAUSED',
    'CLOSED',
    'CLOSED',
    'CANCELLED',
    'ARCHIVED',
  ]);
});

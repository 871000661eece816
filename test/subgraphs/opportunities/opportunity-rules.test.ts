/** Opportunities: their state machine, what the deadline does, and the faults of their members. */
import { describe, expect, test } from '@jest/globals';
import type { Violation } from '../../../schema/errors.ts';
import {
  minorsViolation,
  movedDeadlineViolation,
  opportunityTransitions,
  publishViolations,
  statusAt,
} from '../../../subgraphs/opportunities/opportunities/lifecycle.ts';
import type { OpportunityStatus } from '../../../subgraphs/opportunities/resolvers.generated.ts';
import { opportunityViolations, positionsMatching } from '../../../subgraphs/opportunities/opportunities/rules.ts';
import { walksOnly } from '../runtime/transition-table.ts';

const states: OpportunityStatus[] = ['DRAFT', 'PUBLISHED', 'PAUSED', 'CLOSED', 'FILLED', 'CANCELLED', 'ARCHIVED'];
const now = Date.parse('2026-11-21T12:00:00.000Z');
const past = '2026-11-21T12:00:00.000Z';
const future = '2026-11-21T12:00:00.001Z';
const club = { id: 'club', version: 1, accountId: 'account', status: 'ACTIVE', verified: true, safeguarded: true } as const;
const row = { applicationDeadline: future, applicationOpensAt: null, minorsAllowed: false };
const pointers = (violations: readonly (Violation | null | false)[]): unknown[] =>
  violations.flatMap((violation) => (violation ? [violation.pointer] : []));

describe('transitions', () => {
  walksOnly('opportunity', opportunityTransitions, states, [
    'OWNER DRAFT publish PUBLISHED',
    'OWNER PUBLISHED pause PAUSED',
    'OWNER PAUSED resume PUBLISHED',
    'OWNER PUBLISHED close CLOSED',
    'OWNER PAUSED close CLOSED',
    'TIMER PUBLISHED close CLOSED',
    'TIMER PAUSED close CLOSED',
    'OWNER CLOSED reopen PUBLISHED',
    'OWNER PUBLISHED cancel CANCELLED',
    'OWNER PAUSED cancel CANCELLED',
    'OWNER CLOSED cancel CANCELLED',
    'OWNER FILLED cancel CANCELLED',
    'OWNER CLOSED archive ARCHIVED',
    'OWNER FILLED archive ARCHIVED',
    'OWNER CANCELLED archive ARCHIVED',
    'COUNTERPART PUBLISHED fill FILLED',
    'COUNTERPART PAUSED fill FILLED',
    'COUNTERPART CLOSED fill FILLED',
    'COUNTERPART FILLED free CLOSED',
  ]);
});

describe('the deadline', () => {
  test('closes what is published or paused in its moment, and nothing else', () => {
    const after = states.map((status) => statusAt({ status, applicationDeadline: past }, now));
    expect(after).toEqual(['DRAFT', 'CLOSED', 'CLOSED', 'CLOSED', 'FILLED', 'CANCELLED', 'ARCHIVED']);
    expect(states.map((status) => statusAt({ status, applicationDeadline: future }, now))).toEqual(states);
  });

  test('of a publication is to come', () => {
    expect(pointers(publishViolations({ ...row, applicationDeadline: past }, club, now))).toEqual(['/applicationDeadline']);
    expect(pointers(publishViolations(row, club, now))).toEqual([]);
  });

  test('of a draft moves freely, of a public one into the future, of a closed one by reopening alone', () => {
    const moved = (status: OpportunityStatus, from: string, to: string): string | undefined =>
      movedDeadlineViolation({ status, applicationDeadline: from }, to, now)?.code;
    expect(moved('DRAFT', future, '2020-01-01T00:00:00Z')).toBeUndefined();
    expect(moved('PUBLISHED', future, '2027-01-01T00:00:00Z')).toBeUndefined();
    expect(moved('PUBLISHED', future, '2020-01-01T00:00:00Z')).toBe('in_past');
    expect(moved('PUBLISHED', past, '2027-01-01T00:00:00Z')).toBe('closed');
    expect(moved('CLOSED', past, '2027-01-01T00:00:00Z')).toBe('closed');
    expect(moved('CLOSED', past, '2026-11-21T13:00:00+01:00')).toBeUndefined();
  });
});

describe('the organization', () => {
  test('is active when it publishes', () => {
    expect(pointers(publishViolations(row, { ...club, status: 'DRAFT' }, now))).toEqual(['/organizationId']);
  });

  test('welcomes minors only when it is verified and names a safeguarding officer', () => {
    expect(minorsViolation(true, club)).toBeNull();
    expect(minorsViolation(true, { ...club, verified: false })?.code).toBe('safeguarding_required');
    expect(minorsViolation(true, { ...club, safeguarded: false })?.code).toBe('safeguarding_required');
    expect(minorsViolation(true, undefined)?.code).toBe('safeguarding_required');
    expect(minorsViolation(false, undefined)).toBeNull();
  });
});

describe('members', () => {
  test('of another type are refused, each by its name', () => {
    const members = {
      award: { coverage: 'FULL' },
      academic: {},
      sessions: [{ startsAt: '2026-12-01T10:00:00Z' }],
      attendingOrganizationIds: ['a'],
      livestreamUrl: 'https://example.org',
      profile: {},
      contractType: 'AMATEUR',
    } as const;
    const mutable = {
      ...members,
      sessions: [...members.sessions],
      attendingOrganizationIds: [...members.attendingOrganizationIds],
    };
    const refused = (type: 'SCHOLARSHIP' | 'TRIAL' | 'SHOWCASE' | 'TALENT_REQUEST') =>
      pointers(opportunityViolations(type, 'FOOTBALL', mutable));
    expect(refused('SCHOLARSHIP')).toEqual([
      '/sessions',
      '/attendingOrganizationIds',
      '/livestreamUrl',
      '/profile',
      '/contractType',
    ]);
    expect(refused('TRIAL')).toEqual([
      '/award',
      '/academic',
      '/attendingOrganizationIds',
      '/livestreamUrl',
      '/profile',
      '/contractType',
    ]);
    expect(refused('SHOWCASE')).toEqual(['/award', '/academic', '/sessions', '/profile', '/contractType']);
    expect(refused('TALENT_REQUEST')).toEqual([
      '/award',
      '/academic',
      '/sessions',
      '/attendingOrganizationIds',
      '/livestreamUrl',
    ]);
  });

  test('that contradict each other are all named at once', () => {
    const violations = opportunityViolations('SCHOLARSHIP', 'FOOTBALL', {
      disciplines: ['BOXING'],
      positions: ['GK', 'PG'],
      ageRange: { min: 20, max: 18 },
      startDate: '2026-02-02',
      endDate: '2026-02-01',
      applicationOpensAt: '2026-02-01T00:00:00Z',
      applicationDeadline: '2026-02-01T00:00:00Z',
      requirements: [
        { operator: 'GTE', value: 1 },
        { metricKey: 'kills', operator: 'GTE', value: 1 },
      ],
      award: { amountMinor: 100 },
      academic: { minGpa: 3 },
    });
    expect(pointers(violations)).toEqual([
      '/disciplines/0',
      '/positions/1',
      '/ageRange/max',
      '/endDate',
      '/applicationOpensAt',
      '/requirements/0',
      '/requirements/1/metricKey',
      '/award/currency',
      '/academic/gpaScale',
    ]);
  });
});

test('a position finds what is for it, for its group, and what a group holds', () => {
  expect(positionsMatching(['FOOTBALL'], ['LB'])).toEqual(['LB', 'DF']);
  expect(positionsMatching(['FOOTBALL'], ['DF'])).toEqual(expect.arrayContaining(['DF', 'RB', 'CB', 'LB']));
  expect(positionsMatching(null, ['LB'])).toEqual(expect.arrayContaining(['LB', 'DF', 'BC']));
});

/** The transitions of opportunities, their deadlines, and the validation of their members. */
import { describe, expect, test } from '@jest/globals';
import type { Violation } from '../../../schema/errors.ts';
import {
  minorsViolation,
  movedDeadlineViolation,
  opportunityTransitions,
  publishViolations,
  statusAt,
} from '../../../subgraphs/opportunities/opportunities/lifecycle.ts';
import type { OpportunityStatus } from '../../../subgraphs/opportunities/generated/resolvers.ts';
import { opportunityViolations, positionsMatching } from '../../../subgraphs/opportunities/opportunities/rules.ts';
import { testTransitionTable } from '../runtime/transition-table.ts';

const states: OpportunityStatus[] = ['DRAFT', 'PUBLISHED', 'PAUSED', 'CLOSED', 'FILLED', 'CANCELLED', 'ARCHIVED'];
const now = Date.parse('2026-11-21T12:00:00.000Z');
const past = '2026-11-21T12:00:00.000Z';
const future = '2026-11-21T12:00:00.001Z';
const club = { id: 'club', version: 1, accountId: 'account', status: 'ACTIVE', verified: true, safeguarded: true } as const;
const row = { applicationDeadline: future, applicationOpensAt: null, minorsAllowed: false };
const pointers = (violations: readonly (Violation | null | false)[]): unknown[] =>
  violations.flatMap((violation) => (violation ? [violation.pointer] : []));

describe('transitions', () => {
  testTransitionTable('opportunity', opportunityTransitions, states, [
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
  test('closes published and paused opportunities on time, and no others', () => {
    const after = states.map((status) => statusAt({ status, applicationDeadline: past }, now));
    expect(after).toEqual(['DRAFT', 'CLOSED', 'CLOSED', 'CLOSED', 'FILLED', 'CANCELLED', 'ARCHIVED']);
    expect(states.map((status) => statusAt({ status, applicationDeadline: future }, now))).toEqual(states);
  });

  test('of a publication must be in the future', () => {
    expect(pointers(publishViolations({ ...row, applicationDeadline: past }, club, now))).toEqual(['/applicationDeadline']);
    expect(pointers(publishViolations(row, club, now))).toEqual([]);
  });

  test('can be any time for a draft, must be in the future for a public opportunity, and needs a reopening for a closed one', () => {
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
  test('must be active to publish', () => {
    expect(pointers(publishViolations(row, { ...club, status: 'DRAFT' }, now))).toEqual(['/organizationId']);
  });

  test('must be verified and name a safeguarding officer to accept minors', () => {
    expect(minorsViolation(true, club)).toBeNull();
    expect(minorsViolation(true, { ...club, verified: false })?.code).toBe('safeguarding_required');
    expect(minorsViolation(true, { ...club, safeguarded: false })?.code).toBe('safeguarding_required');
    expect(minorsViolation(true, undefined)?.code).toBe('safeguarding_required');
    expect(minorsViolation(false, undefined)).toBeNull();
  });
});

describe('members', () => {
  test('of another type are rejected, each with its pointer', () => {
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
    const rejectedPointers = (type: 'SCHOLARSHIP' | 'TRIAL' | 'SHOWCASE' | 'TALENT_REQUEST') =>
      pointers(opportunityViolations(type, 'FOOTBALL', mutable));
    expect(rejectedPointers('SCHOLARSHIP')).toEqual([
      '/sessions',
      '/attendingOrganizationIds',
      '/livestreamUrl',
      '/profile',
      '/contractType',
    ]);
    expect(rejectedPointers('TRIAL')).toEqual([
      '/award',
      '/academic',
      '/attendingOrganizationIds',
      '/livestreamUrl',
      '/profile',
      '/contractType',
    ]);
    expect(rejectedPointers('SHOWCASE')).toEqual(['/award', '/academic', '/sessions', '/profile', '/contractType']);
    expect(rejectedPointers('TALENT_REQUEST')).toEqual([
      '/award',
      '/academic',
      '/sessions',
      '/attendingOrganizationIds',
      '/livestreamUrl',
    ]);
  });

  test('that are inconsistent are all reported together', () => {
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

test('a position matches itself, its group and the positions of the group', () => {
  expect(positionsMatching(['FOOTBALL'], ['LB'])).toEqual(['LB', 'DF']);
  expect(positionsMatching(['FOOTBALL'], ['DF'])).toEqual(expect.arrayContaining(['DF', 'RB', 'CB', 'LB']));
  expect(positionsMatching(null, ['LB'])).toEqual(expect.arrayContaining(['LB', 'DF', 'BC']));
});

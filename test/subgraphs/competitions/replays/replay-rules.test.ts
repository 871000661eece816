/** Transitions of replays, and the end of their rights. */
import { describe, expect, test } from '@jest/globals';
import {
  expiredViolation,
  replayModeration,
  replayTransitions,
  statusAt,
  tagViolation,
} from '../../../../subgraphs/competitions/replays/rules.ts';
import type { ReplayStatus } from '../../../../subgraphs/competitions/generated/resolvers.ts';
import { testTransitionTable } from '../../runtime/transition-table.ts';

const states: ReplayStatus[] = ['DRAFT', 'REVIEW', 'PUBLISHED', 'HIDDEN', 'EXPIRED', 'TAKEN_DOWN'];

describe('transitions', () => {
  testTransitionTable('replay', replayTransitions, states, [
    'OWNER DRAFT publish PUBLISHED',
    'OWNER HIDDEN publish PUBLISHED',
    'OWNER EXPIRED publish PUBLISHED',
    'OWNER PUBLISHED hide HIDDEN',
    'OWNER REVIEW hide HIDDEN',
    'TIMER PUBLISHED review REVIEW',
    'TIMER PUBLISHED expire EXPIRED',
    'TIMER REVIEW expire EXPIRED',
  ]);
  testTransitionTable('replay under moderation', replayModeration, states, [
    'MODERATOR REVIEW publish PUBLISHED',
    ...['DRAFT', 'REVIEW', 'PUBLISHED', 'HIDDEN', 'EXPIRED'].map((state) => `MODERATOR ${state} take-down TAKEN_DOWN`),
  ]);
});

test('the end of the rights takes effect immediately, in states visible to others', () => {
  const expiresAt = '2026-11-21T10:00:00.000Z';
  const at = (status: ReplayStatus, now: number) => statusAt({ status, expiresAt }, now);
  const end = Date.parse(expiresAt);
  expect(states.map((state) => at(state, end - 1))).toEqual(states);
  expect(states.map((state) => at(state, end))).toEqual(['DRAFT', 'EXPIRED', 'EXPIRED', 'HIDDEN', 'EXPIRED', 'TAKEN_DOWN']);
  expect(statusAt({ status: 'PUBLISHED', expiresAt: null })).toBe('PUBLISHED');
  expect([expiredViolation(expiresAt, end - 1), expiredViolation(null, end), expiredViolation(expiresAt, end)?.pointer]).toEqual([
    null,
    null,
    '/rights/expiresAt',
  ]);
});

test('a tag must be within the recording if its length is known', () => {
  const pointers = [tagViolation(90_000, 90), tagViolation(90_001, 90), tagViolation(90_001, null), tagViolation(null, 90)].map(
    (violation) => violation?.pointer ?? null,
  );
  expect(pointers).toEqual([null, '/atMs', null, null]);
});

/** Replays: their state machines, and the moment in which their rights end. */
import { describe, expect, test } from '@jest/globals';
import {
  expiredViolation,
  replayModeration,
  replayTransitions,
  statusAt,
  tagViolation,
} from '../../../../subgraphs/competitions/replays/rules.ts';
import type { ReplayStatus } from '../../../../subgraphs/competitions/resolvers.generated.ts';
import { walksOnly } from '../../runtime/transition-table.ts';

const states: ReplayStatus[] = ['DRAFT', 'REVIEW', 'PUBLISHED', 'HIDDEN', 'EXPIRED', 'TAKEN_DOWN'];

describe('transitions', () => {
  walksOnly('replay', replayTransitions, states, [
    'OWNER DRAFT publish PUBLISHED',
    'OWNER HIDDEN publish PUBLISHED',
    'OWNER EXPIRED publish PUBLISHED',
    'OWNER PUBLISHED hide HIDDEN',
    'OWNER REVIEW hide HIDDEN',
    'TIMER PUBLISHED review REVIEW',
    'TIMER PUBLISHED expire EXPIRED',
    'TIMER REVIEW expire EXPIRED',
  ]);
  walksOnly('replay under moderation', replayModeration, states, [
    'MODERATOR REVIEW publish PUBLISHED',
    ...['DRAFT', 'REVIEW', 'PUBLISHED', 'HIDDEN', 'EXPIRED'].map((state) => `MODERATOR ${state} take-down TAKEN_DOWN`),
  ]);
});

test('rights end in their moment, in states in which somebody else may see the replay', () => {
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

test('a tag lies within the recording, where its length is known', () => {
  const pointers = [tagViolation(90_000, 90), tagViolation(90_001, 90), tagViolation(90_001, null), tagViolation(null, 90)].map(
    (violation) => violation?.pointer ?? null,
  );
  expect(pointers).toEqual([null, '/atMs', null, null]);
});

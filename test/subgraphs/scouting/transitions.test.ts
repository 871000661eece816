/** The transitions of shortlist entries and contact requests, and the expiry of requests. */
import { describe, expect, test } from '@jest/globals';
import { contactRequestTransitions, statusAt } from '../../../subgraphs/scouting/contact-requests/lifecycle.ts';
import type { ContactRequestStatus, ShortlistStage } from '../../../subgraphs/scouting/generated/resolvers.ts';
import { stageTransitions } from '../../../subgraphs/scouting/shortlist-entries/rules.ts';
import { testTransitionTable } from '../runtime/transition-table.ts';

const pipeline = ['IDENTIFIED', 'WATCHLIST', 'SCOUTED', 'SHORTLISTED', 'CONTACTED'] as const;
const stages: ShortlistStage[] = [...pipeline, 'SIGNED', 'REJECTED', 'ON_HOLD', 'LOST'];
const requests: ContactRequestStatus[] = ['SENT', 'ACCEPTED', 'DECLINED', 'EXPIRED'];

const transition = (from: ShortlistStage, to: ShortlistStage): string => `OWNER ${from} ${to} ${to}`;

describe('a shortlist entry', () => {
  testTransitionTable('stage', stageTransitions, stages, [
    transition('IDENTIFIED', 'WATCHLIST'),
    transition('WATCHLIST', 'SCOUTED'),
    transition('SCOUTED', 'SHORTLISTED'),
    transition('SHORTLISTED', 'CONTACTED'),
    transition('CONTACTED', 'SIGNED'),
    ...pipeline.flatMap((stage) => [transition(stage, 'ON_HOLD'), transition('ON_HOLD', stage)]),
    ...[...pipeline, 'ON_HOLD' as const].flatMap((stage) => [transition(stage, 'REJECTED'), transition(stage, 'LOST')]),
    transition('REJECTED', 'IDENTIFIED'),
    transition('LOST', 'IDENTIFIED'),
  ]);
});

describe('a contact request', () => {
  testTransitionTable('contact request', contactRequestTransitions, requests, [
    'COUNTERPART SENT accept ACCEPTED',
    'COUNTERPART SENT decline DECLINED',
    'TIMER SENT expire EXPIRED',
  ]);

  test('expires on time unless it was answered', () => {
    const expiresAt = '2026-11-21T10:00:00.000Z';
    const end = Date.parse(expiresAt);
    const at = (now: number) => requests.map((status) => statusAt({ status, expiresAt }, now));
    expect(at(end - 1)).toEqual(requests);
    expect(at(end)).toEqual(['EXPIRED', 'ACCEPTED', 'DECLINED', 'EXPIRED']);
  });
});

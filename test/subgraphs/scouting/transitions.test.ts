/** Shortlists and contact requests: their state machines, and the moment in which a request expires. */
import { describe, expect, test } from '@jest/globals';
import { contactRequestTransitions, statusAt } from '../../../subgraphs/scouting/contact-requests/lifecycle.ts';
import type { ContactRequestStatus, ShortlistStage } from '../../../subgraphs/scouting/resolvers.generated.ts';
import { stageTransitions } from '../../../subgraphs/scouting/shortlist-entries/rules.ts';
import { walksOnly } from '../runtime/transition-table.ts';

const ladder = ['IDENTIFIED', 'WATCHLIST', 'SCOUTED', 'SHORTLISTED', 'CONTACTED'] as const;
const stages: ShortlistStage[] = [...ladder, 'SIGNED', 'REJECTED', 'ON_HOLD', 'LOST'];
const requests: ContactRequestStatus[] = ['SENT', 'ACCEPTED', 'DECLINED', 'EXPIRED'];

const step = (from: ShortlistStage, to: ShortlistStage): string => `OWNER ${from} ${to} ${to}`;

describe('an entry of a shortlist', () => {
  walksOnly('stage', stageTransitions, stages, [
    step('IDENTIFIED', 'WATCHLIST'),
    step('WATCHLIST', 'SCOUTED'),
    step('SCOUTED', 'SHORTLISTED'),
    step('SHORTLISTED', 'CONTACTED'),
    step('CONTACTED', 'SIGNED'),
    ...ladder.flatMap((stage) => [step(stage, 'ON_HOLD'), step('ON_HOLD', stage)]),
    ...[...ladder, 'ON_HOLD' as const].flatMap((stage) => [step(stage, 'REJECTED'), step(stage, 'LOST')]),
    step('REJECTED', 'IDENTIFIED'),
    step('LOST', 'IDENTIFIED'),
  ]);
});

describe('a contact request', () => {
  walksOnly('contact request', contactRequestTransitions, requests, [
    'COUNTERPART SENT accept ACCEPTED',
    'COUNTERPART SENT decline DECLINED',
    'TIMER SENT expire EXPIRED',
  ]);

  test('expires in its moment, unless it was answered', () => {
    const expiresAt = '2026-11-21T10:00:00.000Z';
    const end = Date.parse(expiresAt);
    const at = (now: number) => requests.map((status) => statusAt({ status, expiresAt }, now));
    expect(at(end - 1)).toEqual(requests);
    expect(at(end)).toEqual(['EXPIRED', 'ACCEPTED', 'DECLINED', 'EXPIRED']);
  });
});

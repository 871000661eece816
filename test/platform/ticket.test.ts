/** Tickets of viewers. */
import { describe, expect, test } from '@jest/globals';
import { issueTicket, verifyTicket } from '../../platform/security/ticket.ts';
import { ANONYMOUS, SYSTEM, type Viewer } from '../../schema/viewer.ts';

const key = Buffer.alloc(32, 1);
const now = Date.parse('2026-11-21T10:00:00Z');
const viewer: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: 'a', keyId: 'sp_live_ü' };
const ticket = issueTicket(key, 'athletes', viewer, now) ?? '';

describe('a ticket', () => {
  test('identifies its viewer for 60 seconds', () => {
    expect(verifyTicket(key, 'athletes', ticket, now + 60_000)).toEqual(viewer);
    expect(verifyTicket(key, 'athletes', ticket, now + 60_001)).toBeNull();
  });

  test('is invalid for another area, with another key, or after a change', () => {
    const [, signature = ''] = ticket.split('.');
    const other = Buffer.from(JSON.stringify({ viewer: SYSTEM, time: now })).toString('base64url');
    expect(verifyTicket(key, 'scouting', ticket, now)).toBeNull();
    expect(verifyTicket(Buffer.alloc(32, 2), 'athletes', ticket, now)).toBeNull();
    for (const forged of [`${other}.${signature}`, `${other}.`, other, '', '.', 'athletes'])
      expect(verifyTicket(key, 'athletes', forged, now)).toBeNull();
  });

  test('is never issued for the system', () => expect(issueTicket(key, 'athletes', SYSTEM, now)).toBeNull());
});

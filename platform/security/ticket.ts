/** Tickets: the viewer of a call to an area, sealed by the router. The area presents the ticket when it calls the graph and cannot forge it. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Viewer } from '../../schema/viewer.ts';

/** Longer than any call to an area takes, plus the clock difference between two routers. */
const toleranceMs = 60_000;

/** Issues a ticket for one area and viewer, valid for 60 s. Null for the system viewer: an area never acts as the system. */
export function issueTicket(key: Buffer, area: string, viewer: Viewer, now: number = Date.now()): string | null {
  if (viewer.kind === 'SYSTEM') return null;
  const content = Buffer.from(JSON.stringify({ viewer, time: now })).toString('base64url');
  return `${content}.${mac(key, area, content).toString('base64url')}`;
}

/** The viewer of a ticket that a router issued to this area at most 60 s ago; null if the ticket is missing, forged or expired. */
export function verifyTicket(key: Buffer, area: string, ticket: string, now: number = Date.now()): Viewer | null {
  const [content = '', given = ''] = ticket.split('.');
  const expected = mac(key, area, content);
  const received = Buffer.from(given, 'base64url');
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return null;
  // Cast: the MAC proves that issueTicket created the content.
  const { viewer, time } = JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as { viewer: Viewer; time: number };
  return Math.abs(now - time) <= toleranceMs ? viewer : null;
}

function mac(key: Buffer, area: string, content: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([area, content]))
    .digest();
}

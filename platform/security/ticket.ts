/** Tickets: whom the router asks an area for, in a form that the area shows when it calls the graph back, and cannot make. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Viewer } from '../../schema/viewer.ts';

/** Longer than any call to an area takes; also what the clocks of two routers may differ by. */
const toleranceMs = 60_000;

/** A ticket of one area for one viewer, good for 60 s. Null for the system: no area speaks as the platform itself. */
export function issueTicket(key: Buffer, area: string, viewer: Viewer, now: number = Date.now()): string | null {
  if (viewer.kind === 'SYSTEM') return null;
  const content = Buffer.from(JSON.stringify({ viewer, time: now })).toString('base64url');
  return `${content}.${mac(key, area, content).toString('base64url')}`;
}

/** The viewer of a ticket that a router issued to this area at most 60 s ago; null for any other text. */
export function verifyTicket(key: Buffer, area: string, ticket: string, now: number = Date.now()): Viewer | null {
  const [content = '', given = ''] = ticket.split('.');
  const expected = mac(key, area, content);
  const received = Buffer.from(given, 'base64url');
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return null;
  const { viewer, time } = JSON.parse(Buffer.from(content, 'base64url').toString('utf8')) as { viewer: Viewer; time: number };
  return Math.abs(now - time) <= toleranceMs ? viewer : null;
}

function mac(key: Buffer, area: string, content: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([area, content]))
    .digest();
}

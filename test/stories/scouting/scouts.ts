/** Creates shortlists and contact requests, for tests about data that other accounts store about athletes. */
import { expect } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';

export const anyVersion = { 'if-match': '*' };

/** Creates a shortlist. Returns its path. */
export async function createShortlist(scout: Client, more: object = {}): Promise<string> {
  const { status, body } = await scout.post('/scouting/shortlists', { name: 'Left backs', ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return `/scouting/shortlists/${body.id}`;
}

/** Adds an athlete to a shortlist. Returns the path of the entry. */
export async function addEntry(scout: Client, shortlist: string, athleteId: string, more: object = {}): Promise<string> {
  const { status, body } = await scout.post(`${shortlist}/entries`, { athleteId, ...more });
  expect({ status, body }).toMatchObject({ status: 201, body: { athleteId, stage: 'IDENTIFIED' } });
  return `${shortlist}/entries/${body.id}`;
}

export const report = (more: object = {}) => ({
  date: '2026-03-01',
  ratings: { technical: 7, tactical: 6, physical: 8, mental: 9 },
  recommendation: 'FOLLOW',
  ...more,
});

/** Sends a contact request. */
export const sendContactRequest = (scout: Client, athleteId: string, more: object = {}): Promise<ApiResponse> =>
  scout.post('/scouting/contact-requests', { athleteId, message: 'May we meet?', ...more });

/** Sends a contact request, which must succeed. Returns its path. */
export async function createContactRequest(scout: Client, athleteId: string, more: object = {}): Promise<string> {
  const { status, body } = await sendContactRequest(scout, athleteId, more);
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'SENT', athleteId } });
  return `/scouting/contact-requests/${body.id}`;
}

/** Moves an entry through stages. */
export async function move(scout: Client, entry: string, ...stages: readonly string[]): Promise<void> {
  for (const stage of stages)
    expect(await scout.post(`${entry}/move`, { stage })).toMatchObject({ status: 200, body: { stage } });
}

/** Scouts who keep shortlists and ask for contact, for stories about what is held of athletes. */
import { expect } from '@jest/globals';
import type { Answer, Client } from '../../client.ts';

export const anyVersion = { 'if-match': '*' };

/** A shortlist of the account; answers its path. */
export async function createShortlist(scout: Client, more: object = {}): Promise<string> {
  const { status, body } = await scout.post('/scouting/shortlists', { name: 'Left backs', ...more });
  expect({ status, body }).toMatchObject({ status: 201 });
  return `/scouting/shortlists/${body.id}`;
}

/** An entry of an athlete on a shortlist; answers its path. */
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

/** Asks the owner of an athlete for contact. */
export const ask = (scout: Client, athleteId: string, more: object = {}): Promise<Answer> =>
  scout.post('/scouting/contact-requests', { athleteId, message: 'May we meet?', ...more });

/** The same, where it is to succeed; answers the path of the request. */
export async function asked(scout: Client, athleteId: string, more: object = {}): Promise<string> {
  const { status, body } = await ask(scout, athleteId, more);
  expect({ status, body }).toMatchObject({ status: 201, body: { status: 'SENT', athleteId } });
  return `/scouting/contact-requests/${body.id}`;
}

/** Takes an entry through stages. */
export async function move(scout: Client, entry: string, ...stages: readonly string[]): Promise<void> {
  for (const stage of stages)
    expect(await scout.post(`${entry}/move`, { stage })).toMatchObject({ status: 200, body: { stage } });
}

/** Creates seasons and their participants through the API. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';

export const edition = { name: '2026/27', startDate: '2026-08-01', endDate: '2027-05-30' };
export const always = { 'if-match': '*' };

/** Creates a resource and returns it. */
export async function makes(client: Client, path: string, body: unknown) {
  const answer = await client.post(path, body);
  expect(answer.body).toMatchObject({ version: 1 });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** A season of a published football league by default. `path` is below /api/v1. */
export async function makesSeason(owner: Client, competition: object = {}) {
  const facts = { name: 'Oberliga', sport: 'FOOTBALL', type: 'LEAGUE', status: 'PUBLISHED', ...competition };
  const made = await makes(owner, '/competitions', facts);
  const season = await makes(owner, '/competitions/seasons', { ...edition, competitionId: made.id });
  return { competition: made, season, path: `/competitions/seasons/${season.id}` };
}

/** A team of an organization of the client, public unless the organization is a draft. */
export async function makesTeam(client: Client, name: string, { sport = 'FOOTBALL', status = 'ACTIVE' } = {}) {
  const club = await makes(client, '/organizations', { type: 'CLUB', name, country: 'DE', sports: [sport], status });
  return makes(client, '/organizations/teams', { name, sport, category: 'MEN', organizationId: club.id });
}

/** A public swimmer by default. */
export const makesAthlete = (client: Client, displayName: string, facts: object = { birthYear: 1999, status: 'ACTIVE' }) =>
  makes(client, '/athletes', {
    displayName,
    sex: 'FEMALE',
    nationalities: ['DE'],
    sports: [{ sport: 'SWIMMING', primary: true }],
    ...facts,
  });

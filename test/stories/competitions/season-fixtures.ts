/** Creates seasons and their participants through the API. */
import { expect } from '@jest/globals';
import type { Client } from '../../client.ts';

export const edition = { name: '2026/27', startDate: '2026-08-01', endDate: '2027-05-30' };
export const always = { 'if-match': '*' };

/** Creates a resource and returns it. */
export async function createResource(client: Client, path: string, body: unknown) {
  const response = await client.post(path, body);
  expect(response.body).toMatchObject({ version: 1 });
  expect(response.status).toBe(201);
  return response.body;
}

/** A season of a published football league by default. `path` is below /api/v1. */
export async function createSeason(owner: Client, competition: object = {}) {
  const facts = { name: 'Oberliga', sport: 'FOOTBALL', type: 'LEAGUE', status: 'PUBLISHED', ...competition };
  const created = await createResource(owner, '/competitions', facts);
  const season = await createResource(owner, '/competitions/seasons', { ...edition, competitionId: created.id });
  return { competition: created, season, path: `/competitions/seasons/${season.id}` };
}

/** A team of an organization of the client, public unless the organization is a draft. */
export async function createTeam(client: Client, name: string, { sport = 'FOOTBALL', status = 'ACTIVE' } = {}) {
  const club = await createResource(client, '/organizations', { type: 'CLUB', name, country: 'DE', sports: [sport], status });
  return createResource(client, '/organizations/teams', { name, sport, category: 'MEN', organizationId: club.id });
}

/** A public swimmer by default. */
export const createTestAthlete = (client: Client, displayName: string, facts: object = { birthYear: 1999, status: 'ACTIVE' }) =>
  createResource(client, '/athletes', {
    displayName,
    sex: 'FEMALE',
    nationalities: ['DE'],
    sports: [{ sport: 'SWIMMING', primary: true }],
    ...facts,
  });

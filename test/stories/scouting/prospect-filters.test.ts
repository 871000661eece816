/** Filters of prospects: body, languages, availability, verification, membership and contract. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
const ids = new Map<string, string>();
const clubs = new Map<string, string>();

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function athlete(name: string, age: number, facts: object = {}): Promise<void> {
  const born = { displayName: name, dateOfBirth: bornFor(age, 183), status: 'ACTIVE' };
  const { id } = await createAthlete(owner, { ...born, sports: [{ sport: 'FOOTBALL', positions: ['CB'] }], ...facts });
  ids.set(name, id);
}

async function join(name: string, club: string, more: object = {}): Promise<void> {
  const membership = { personType: 'ATHLETE', personId: ids.get(name), organizationId: clubs.get(club), role: 'PLAYER' };
  await createResource(owner, '/organizations/memberships', { ...membership, ...more });
}

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Agency' });
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  for (const [name, status] of [
    ['Public', 'ACTIVE'],
    ['Draft', 'DRAFT'],
  ] as const) {
    const club = { type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status };
    clubs.set(name, (await createResource(owner, '/organizations', club)).id);
  }
  const trial = { openToOpportunities: true, types: ['TRIAL'] };
  await athlete('Lea', 19, { heightCm: 188, dominantFoot: 'LEFT', languages: ['pt-BR'], availability: trial });
  await athlete('Bo', 25, { heightCm: 175, dominantFoot: 'BOTH', dominantHand: 'LEFT', languages: ['de'] });
  await athlete('Ria', 30, { dominantFoot: 'RIGHT', availability: { openToOpportunities: false, types: ['TRIAL'] } });
  await athlete('Tess', 30, { sports: [{ sport: 'TENNIS' }], dominantHand: 'LEFT', heightCm: 180 });
  await athlete('Mia', 16, { heightCm: 190, dominantFoot: 'LEFT' });
  await moderator.post(`/athletes/${ids.get('Lea')}/verify`, { method: 'Passport' });
  await join('Lea', 'Public', { contractUntil: inDays(60) });
  await join('Bo', 'Draft', { contractUntil: inDays(10) });
  await join('Tess', 'Public', { startDate: inDays(-90), endDate: inDays(-10), contractUntil: inDays(-10) });
  await platform.settled();
});
afterAll(() => platform.close());

const found = async (query: string): Promise<string[]> => {
  const { status, body } = await platform.anonymous.get(`/scouting/prospects?${query}`);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data.map((each: { athlete: { displayName: string } }) => each.athlete.displayName).toSorted();
};

describe('prospects are filtered by', () => {
  test.each([
    ['ageMin=25', ['Bo', 'Ria', 'Tess']],
    ['ageMin=25&ageMax=29', ['Bo']],
    ['heightCmMin=180', ['Lea', 'Tess']],
    ['sport=FOOTBALL&heightCmMax=180', ['Bo']],
    ['dominantFoot=LEFT', ['Lea']],
    ['sport=FOOTBALL&dominantFoot=LEFT,BOTH', ['Bo', 'Lea']],
    ['sport=TENNIS&dominantFoot=LEFT', []],
    ['dominantHand=LEFT', ['Bo', 'Tess']],
    ['language=pt', ['Lea']],
    ['language=pt-BR,de', ['Bo', 'Lea']],
    ['language=pt-PT', []],
    ['availableFor=TRIAL', ['Lea']],
    ['openToOpportunities=true', ['Lea']],
    ['openToOpportunities=false', ['Bo', 'Ria', 'Tess']],
    ['verified=true', ['Lea']],
    ['verified=false&sport=TENNIS', ['Tess']],
    ['freeAgent=true', ['Bo', 'Ria', 'Tess']],
    ['freeAgent=false', ['Lea']],
    [`contractUntil=${inDays(60)}`, ['Lea']],
    [`contractUntil=${inDays(59)}`, []],
    [`sport=FOOTBALL&position=CB&dominantFoot=LEFT&availableFor=TRIAL&contractUntil=${inDays(90)}&emerging=false`, ['Lea']],
  ])('%s', async (query, names) => {
    expect(await found(query)).toEqual(names);
  });

  test('the same values in the search with facets', async () => {
    const { body } = await platform.anonymous.get('/scouting/discovery?dominantFoot=LEFT&heightCmMin=180');
    expect(body.data).toMatchObject([{ athlete: { displayName: 'Lea' } }]);
  });
});

test.each([
  ['ageMin=30&ageMax=20', 'ageMax'],
  ['heightCmMin=190&heightCmMax=180', 'heightCmMax'],
  ['ageMax=19&ageBand=28%2B', 'ageBand'],
  ['ageMin=24&ageBand=18-20,21-23', 'ageBand'],
  ['freeAgent=true&contractUntil=2027-06-30', 'contractUntil'],
])('a filter that can match nothing is rejected: %s', async (query, parameter) => {
  const { status, body } = await platform.anonymous.get(`/scouting/prospects?${query}`);
  expect({ status, parameters: body.errors?.map((each: { parameter: string }) => each.parameter) }).toEqual({
    status: 400,
    parameters: [parameter],
  });
  if (parameter === 'contractUntil')
    expect((await platform.anonymous.get(`/athletes?${query}`)).body.errors).toEqual(body.errors);
});

test('the filters follow the profile, the membership and the visibility of the organization', async () => {
  const update = async (facts: object): Promise<void> => {
    expect(await owner.patch(`/athletes/${ids.get('Ria')}`, facts, { 'if-match': '*' })).toMatchObject({ status: 200 });
    await platform.settled();
  };
  await update({ dominantFoot: 'LEFT', heightCm: 181, dominantHand: 'RIGHT' });
  expect(await found('dominantFoot=LEFT&dominantHand=RIGHT&heightCmMin=181')).toEqual(['Ria']);
  await join('Ria', 'Public', { contractUntil: inDays(20) });
  await owner.post(`/organizations/${clubs.get('Draft')}/activate`);
  await platform.settled();
  expect(await found('freeAgent=true')).toEqual(['Tess']);
  expect(await found(`contractUntil=${inDays(20)}`)).toEqual(['Bo', 'Ria']);
});

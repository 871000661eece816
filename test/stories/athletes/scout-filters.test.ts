/** The filters of scouts: body, languages, membership, contract and availability; and lists by ids. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createResource } from '../competitions/season-fixtures.ts';
import { bornFor, createAthlete } from './people.ts';

let platform: TestPlatform;
let owner: Client;
const ids = new Map<string, string>();

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Agency' });
  const athlete = async (name: string, facts: object): Promise<string> => {
    const { id } = await createAthlete(owner, { displayName: name, status: 'ACTIVE', dateOfBirth: bornFor(22, 10), ...facts });
    ids.set(name, id);
    return id;
  };
  const tall = await athlete('Tall', { heightCm: 203, dominantFoot: 'LEFT', languages: ['pt-BR', 'en'] });
  const small = await athlete('Small', {
    heightCm: 168,
    dominantFoot: 'BOTH',
    dominantHand: 'LEFT',
    languages: ['de'],
    availability: { openToOpportunities: true, types: ['TRIAL', 'SCHOLARSHIP'] },
  });
  await athlete('Unknown', { availability: { openToOpportunities: false, types: ['TRIAL'] } });
  const club = { type: 'CLUB', name: 'Club', country: 'DE', sports: ['FOOTBALL'] };
  const join = async (personId: string, status: string, more: object): Promise<void> => {
    const { id: organizationId } = await createResource(owner, '/organizations', { ...club, status });
    await createResource(owner, '/organizations/memberships', {
      personType: 'ATHLETE',
      personId,
      organizationId,
      role: 'PLAYER',
      ...more,
    });
  };
  await join(tall, 'ACTIVE', { contractUntil: '2030-06-30' });
  await join(small, 'DRAFT', { contractUntil: '2029-06-30' });
  await platform.settled();
});
afterAll(() => platform.close());

const found = async (query: string, client: Client = platform.anonymous): Promise<string[]> => {
  const { status, body } = await client.get(`/athletes?${query}`);
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
  return body.data.map(({ displayName }: { displayName: string }) => displayName).toSorted();
};

test.each([
  ['heightCmMin=200', ['Tall']],
  ['heightCmMin=160&heightCmMax=180', ['Small']],
  ['dominantFoot=LEFT,BOTH', ['Small', 'Tall']],
  ['dominantHand=LEFT', ['Small']],
  ['language=pt', ['Tall']],
  ['language=pt-BR', ['Tall']],
  ['language=pt-PT', []],
  ['language=de,en', ['Small', 'Tall']],
  ['availableFor=TRIAL', ['Small']],
  ['availableFor=SHOWCASE', []],
  ['contractUntil=2030-06-30', ['Tall']],
  ['contractUntil=2030-06-29', []],
  ['contractUntil=2030-06-30&sport=FOOTBALL', ['Tall']],
  ['contractUntil=2030-06-29&sport=FOOTBALL', []],
  ['freeAgent=false', ['Tall']],
])('%s', async (query, names) => {
  expect(await found(query)).toEqual(names);
});

test('a membership of an organization that the viewer cannot read does not count', async () => {
  expect(await found('freeAgent=true')).toEqual(['Small', 'Unknown']);
  expect(await found('freeAgent=true', owner)).toEqual(['Unknown']);
  expect(await found('contractUntil=2029-12-31', owner)).toEqual(['Small']);
});

test('the end of a contract counts for each sport, also after a change of the sports or of the membership', async () => {
  const athlete = await createAthlete(owner, { displayName: 'Versatile', status: 'ACTIVE', dateOfBirth: bornFor(24, 10) });
  const { id: organizationId } = await createResource(owner, '/organizations', {
    type: 'CLUB',
    name: 'Sports club',
    country: 'DE',
    sports: ['HANDBALL'],
    status: 'ACTIVE',
  });
  const membership = await createResource(owner, '/organizations/memberships', {
    personType: 'ATHLETE',
    personId: athlete.id,
    organizationId,
    role: 'PLAYER',
    contractUntil: '2031-06-30',
  });
  await platform.settled();
  const { body: before } = await owner.get(`/athletes/${athlete.id}`);
  const sports = [...before.sports, { sport: 'HANDBALL', level: 'NATIONAL' }];
  const changed = await owner.patch(`/athletes/${athlete.id}`, { sports }, { 'if-match': '*' });
  expect(changed.status).toBe(200);
  const until = (date: string) => found(`contractUntil=${date}&sport=HANDBALL&level=NATIONAL`);
  expect(await until('2031-06-30')).toEqual(['Versatile']);
  const extended = await owner.patch(
    `/organizations/memberships/${membership.id}`,
    { contractUntil: '2033-06-30' },
    { 'if-match': '*' },
  );
  expect(extended.status).toBe(200);
  await platform.settled();
  expect([await until('2031-06-30'), await until('2033-06-30')]).toEqual([[], ['Versatile']]);
});

test('a list by ids contains those of its other filters; unknown ids match nothing', async () => {
  const list = [...ids.values(), '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11'].join(',');
  expect(await found(`ids=${list}`)).toEqual(['Small', 'Tall', 'Unknown']);
  expect(await found(`ids=${list}&heightCmMin=200`)).toEqual(['Tall']);
  const { body } = await platform.anonymous.get(`/organizations?ids=${ids.get('Tall') ?? ''}`);
  expect(body.data).toEqual([]);
});

test.each(['ids=', 'ids=x', 'heightCmMin=20', 'language=', 'availableFor=JOB', 'contractUntil=tomorrow'])(
  '%s is rejected',
  async (query) => {
    expect(await platform.anonymous.get(`/athletes?${query}`)).toMatchObject({ status: 400 });
  },
);

test.each<[string, string, string, RegExp]>([
  ['/athletes?sport=FOOTBALL&position=STRIKER', 'position', 'unknown_position', /not a position of FOOTBALL/],
  ['/athletes?position=GKK', 'position', 'unknown_position', /Did you mean "GK"/],
  ['/athletes?sport=COMBAT&discipline=JUDDO', 'discipline', 'unknown_discipline', /Did you mean "JUDO"/],
  ['/athletes?ageMin=25&ageMax=20', 'ageMax', 'range', /below `ageMin`/],
  ['/athletes?heightCmMin=190&heightCmMax=180', 'heightCmMax', 'range', /below `heightCmMin`/],
  ['/athletes/statistics?metric=gaols', 'metric', 'unknown_metric', /Did you mean "goals"/],
  ['/athletes/statistics?sport=SWIMMING&eventCode=50_FREEE', 'eventCode', 'unknown_event', /Did you mean "50_FREE"/],
  ['/scouting/prospects?sport=FOOTBALL&position=STRIKER', 'position', 'unknown_position', /not a position of FOOTBALL/],
  ['/competitions/matches?dateFrom=2026-11-30&dateTo=2026-11-01', 'dateTo', 'range', /below `dateFrom`/],
  ['/organizations/transfers?dateFrom=2026-11-30&dateTo=2026-11-01', 'dateTo', 'range', /below `dateFrom`/],
])('%s is rejected: it can match nothing', async (path, parameter, code, detail) => {
  expect((await platform.anonymous.get(path)).body).toMatchObject({
    status: 400,
    code: 'parameter_invalid',
    errors: [{ parameter, code, detail: expect.stringMatching(detail) }],
  });
});

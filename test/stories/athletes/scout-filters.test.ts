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
  ['freeAgent=false', ['Tall']],
])('%s', async (query, names) => {
  expect(await found(query)).toEqual(names);
});

test('a membership of an organization that the viewer cannot read does not count', async () => {
  expect(await found('freeAgent=true')).toEqual(['Small', 'Unknown']);
  expect(await found('freeAgent=true', owner)).toEqual(['Unknown']);
  expect(await found('contractUntil=2029-12-31', owner)).toEqual(['Small']);
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

/** Lists of opportunities: what is open, for whom, and what synchronizing partners are told. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
let club: { id: string };
let university: { id: string };

beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Club' });
  club = (
    await owner.post('/organizations', { type: 'CLUB', name: 'FC Open', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' })
  ).body;
  university = (
    await owner.post('/organizations', {
      type: 'UNIVERSITY',
      name: 'Open University',
      country: 'US',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    })
  ).body;
});
afterAll(() => world.close());

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
const common = () => ({ description: 'Come and play.', sport: 'FOOTBALL', applicationDeadline: inDays(30), totalOpenings: 5 });
const trial = () => ({ ...common(), type: 'TRIAL', organizationId: club.id, title: 'Trial of left backs' });
const post = async (input: object) => (await owner.post('/opportunities', input)).body;

describe('filters', () => {
  test('find what an athlete may take: position, age, sex and nationality also where everybody is meant', async () => {
    const base = { ...trial(), sport: 'BASKETBALL', status: 'PUBLISHED' };
    await post({ ...base, title: 'all' });
    await post({
      ...base,
      title: 'guards',
      positions: ['G'],
      ageRange: { min: 18, max: 21 },
      sex: 'FEMALE',
      nationalities: ['DE'],
      country: 'DE',
    });
    await post({ ...base, title: 'centres', positions: ['C'], applicationDeadline: inDays(90) });
    const titles = async (query: string): Promise<string[]> =>
      (await world.anonymous.get(`/opportunities?sport=BASKETBALL&${query}`)).body.data
        .map((each: { title: string }) => each.title)
        .toSorted();
    expect(await titles('position=PG')).toEqual(['all', 'guards']);
    expect(await titles('position=C')).toEqual(['all', 'centres']);
    expect(await titles('age=22')).toEqual(['all', 'centres']);
    expect(await titles('age=21&sex=FEMALE&nationality=DE')).toEqual(['all', 'centres', 'guards']);
    expect(await titles('sex=MALE')).toEqual(['all', 'centres']);
    expect(await titles('nationality=FR')).toEqual(['all', 'centres']);
    expect(await titles('country=DE')).toEqual(['guards']);
    expect(await titles(`deadlineAfter=${inDays(60)}`)).toEqual(['centres']);
    expect(await titles(`organizationId=${university.id}`)).toEqual([]);
  });

  test('organizations show what they offer now, all of them in one statement', async () => {
    for (const { id } of [club, university]) await post({ ...trial(), organizationId: id, status: 'PUBLISHED' });
    await post(trial());
    world.statements();
    const answer = await world.anonymous.graphql(
      '{ organizations { nodes { name opportunities(first: 50) { nodes { title status organization { name } } } } } }',
    );
    expect(answer.body.errors).toBeUndefined();
    const offers = answer.body.data.organizations.nodes.flatMap(
      (each: { opportunities: { nodes: { status: string }[] } }) => each.opportunities.nodes,
    );
    expect(offers.length).toBeGreaterThan(1);
    expect(new Set(offers.map((each: { status: string }) => each.status))).toEqual(new Set(['PUBLISHED']));
    expect(world.statements().filter((name) => name.startsWith('opportunities.'))).toEqual(['opportunities.ofOrganizations']);
  });

  test('who synchronizes is told of what closed, and of deleted drafts of its own', async () => {
    const since = new Date().toISOString();
    const open = await post({ ...trial(), status: 'PUBLISHED' });
    const draft = await post(trial());
    await owner.post(`/opportunities/${open.id}/close`);
    await owner.delete(`/opportunities/${draft.id}`, { 'if-match': '*' });
    const all = await world.anonymous.get(`/opportunities?updatedSince=${since}`);
    expect(all.body.data).toEqual([expect.objectContaining({ id: open.id, status: 'CLOSED' })]);
    const mine = await owner.get(`/opportunities?updatedSince=${since}&mine=true`);
    expect(mine.body.tombstones ?? mine.body.data.filter((each: { deleted?: boolean }) => each.deleted)).toEqual([
      { id: draft.id, deleted: true },
    ]);
  });
});

/** Lists of opportunities: what is open, for whom, and what synchronizing partners are told. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inDays, openMarket, type Market } from './market.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.world.close());

describe('filters', () => {
  test('find what an athlete may take: position, age, sex and nationality also where everybody is meant', async () => {
    const base = { ...market.trial(), sport: 'BASKETBALL', status: 'PUBLISHED' };
    await market.post({ ...base, title: 'all' });
    await market.post({
      ...base,
      title: 'guards',
      positions: ['G'],
      ageRange: { min: 18, max: 21 },
      sex: 'FEMALE',
      nationalities: ['DE'],
      country: 'DE',
    });
    await market.post({ ...base, title: 'centres', positions: ['C'], applicationDeadline: inDays(90) });
    const titles = async (query: string): Promise<string[]> =>
      (await market.world.anonymous.get(`/opportunities?sport=BASKETBALL&${query}`)).body.data
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
    expect(await titles(`organizationId=${market.university.id}`)).toEqual([]);
  });

  test('organizations show what they offer now, all of them in one statement', async () => {
    for (const { id } of [market.club, market.university])
      await market.post({ ...market.trial(), organizationId: id, status: 'PUBLISHED' });
    await market.post(market.trial());
    // scouting reads what it hears of
    await market.world.settled();
    market.world.statements();
    const answer = await market.world.anonymous.graphql(
      '{ organizations { nodes { name opportunities(first: 50) { nodes { title status organization { name } } } } } }',
    );
    expect(answer.body.errors).toBeUndefined();
    const offers = answer.body.data.organizations.nodes.flatMap(
      (each: { opportunities: { nodes: { status: string }[] } }) => each.opportunities.nodes,
    );
    expect(offers.length).toBeGreaterThan(1);
    expect(new Set(offers.map((each: { status: string }) => each.status))).toEqual(new Set(['PUBLISHED']));
    expect(market.world.statements().filter((name) => name.startsWith('opportunities.'))).toEqual([
      'opportunities.ofOrganizations',
    ]);
  });

  test('who synchronizes is told of what closed, and of deleted drafts of its own', async () => {
    const since = new Date().toISOString();
    const open = await market.post({ ...market.trial(), status: 'PUBLISHED' });
    const draft = await market.post(market.trial());
    await market.owner.post(`/opportunities/${open.id}/close`);
    await market.owner.delete(`/opportunities/${draft.id}`, { 'if-match': '*' });
    const all = await market.world.anonymous.get(`/opportunities?updatedSince=${since}`);
    expect(all.body.data).toEqual([expect.objectContaining({ id: open.id, status: 'CLOSED' })]);
    const mine = await market.owner.get(`/opportunities?updatedSince=${since}&mine=true`);
    expect(mine.body.tombstones ?? mine.body.data.filter((each: { deleted?: boolean }) => each.deleted)).toEqual([
      { id: draft.id, deleted: true },
    ]);
  });
});

/** Lists of opportunities: filters, synchronization, and the visibility of suspended organizations. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { blockProjection } from '../../relay.ts';
import { inDays, type Market, openMarket } from '../scouting/market.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.platform.close());

describe('filters', () => {
  test('by position, age, sex and nationality also find opportunities without that restriction', async () => {
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
      (await market.platform.anonymous.get(`/opportunities?sport=BASKETBALL&${query}`)).body.data
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

  test('organizations list their open opportunities in one statement', async () => {
    for (const { id } of [market.club, market.university])
      await market.post({ ...market.trial(), organizationId: id, status: 'PUBLISHED' });
    await market.post(market.trial());
    // The projections of scouting read opportunities too.
    await market.platform.settled();
    market.platform.statements();
    const response = await market.platform.anonymous.graphql(
      '{ organizations { nodes { name opportunities(first: 50) { nodes { title status organization { name } } } } } }',
    );
    expect(response.body.errors).toBeUndefined();
    const offers = response.body.data.organizations.nodes.flatMap(
      (each: { opportunities: { nodes: { status: string }[] } }) => each.opportunities.nodes,
    );
    expect(offers.length).toBeGreaterThan(1);
    expect(new Set(offers.map((each: { status: string }) => each.status))).toEqual(new Set(['PUBLISHED']));
    expect(market.platform.statements().filter((name) => name.startsWith('opportunities.'))).toEqual([
      'opportunities.ofOrganizations',
    ]);
  });

  test('synchronization returns closed opportunities and own deleted drafts', async () => {
    const since = new Date().toISOString();
    const open = await market.post({ ...market.trial(), status: 'PUBLISHED' });
    const draft = await market.post(market.trial());
    await market.owner.post(`/opportunities/${open.id}/close`);
    await market.owner.delete(`/opportunities/${draft.id}`, { 'if-match': '*' });
    const all = await market.platform.anonymous.get(`/opportunities?updatedSince=${since}`);
    expect(all.body.data).toEqual([expect.objectContaining({ id: open.id, status: 'CLOSED' })]);
    const mine = await market.owner.get(`/opportunities?updatedSince=${since}&mine=true`);
    expect(mine.body.tombstones ?? mine.body.data.filter((each: { deleted?: boolean }) => each.deleted)).toEqual([
      { id: draft.id, deleted: true },
    ]);
  });
});

async function organization(status: string): Promise<{ id: string }> {
  const facts = { type: 'CLUB', name: `Some ${status}`, country: 'DE', sports: ['FOOTBALL'], status };
  return (await market.owner.post('/organizations', facts)).body;
}

async function moderate(id: string, verb: 'suspend' | 'reinstate'): Promise<void> {
  const body = verb === 'suspend' ? { reason: 'Reported' } : undefined;
  expect((await market.moderator.post(`/organizations/${id}/${verb}`, body)).status).toBe(200);
  await market.platform.settled();
}

const ids = (response: { body: { data: { id: string }[] } }): string[] => response.body.data.map((each) => each.id);

describe('the opportunities of a suspended organization', () => {
  test('are visible to their owner only, and public again after the reinstatement', async () => {
    const { platform, owner, other, trial, post } = market;
    const club = await organization('ACTIVE');
    const { id } = await post({
      ...trial(),
      organizationId: club.id,
      status: 'PUBLISHED',
      externalIds: [{ scheme: 'FEED', value: '1' }],
    });
    const { id: closed } = await post({ ...trial(), organizationId: club.id, status: 'PUBLISHED' });
    await owner.post(`/opportunities/${closed}/close`);
    const queries = [
      '',
      `?organizationId=${club.id}`,
      '?status=PUBLISHED',
      '?externalId=FEED:1',
      '?updatedSince=2020-01-01T00:00:00Z',
    ];
    const listed = (): Promise<boolean[]> =>
      Promise.all(queries.map(async (query) => ids(await other.get(`/opportunities${query}`)).includes(id)));
    expect(await listed()).toEqual(queries.map(() => true));

    await moderate(club.id, 'suspend');
    expect(await listed()).toEqual(queries.map(() => false));
    for (const each of [id, closed]) {
      expect((await platform.anonymous.get(`/opportunities/${each}`)).status).toBe(404);
      expect((await owner.get(`/opportunities/${each}`)).status).toBe(200);
    }
    expect((await other.post(`/opportunities/${id}/close`)).status).toBe(404);
    expect(ids(await owner.get('/opportunities?mine=true'))).toEqual(expect.arrayContaining([id, closed]));
    const { body } = await owner.graphql('query ($id: ID!) { organization(id: $id) { opportunities { nodes { id } } } }', club);
    expect(body.data.organization.opportunities.nodes).toEqual([]);
    const { id: draft } = await post({ ...trial(), organizationId: club.id });
    expect((await owner.post(`/opportunities/${draft}/publish`)).body).toMatchObject({
      errors: [{ pointer: '/organizationId', code: 'not_active' }],
    });

    await moderate(club.id, 'reinstate');
    expect(await listed()).toEqual(queries.map(() => true));
    expect((await owner.post(`/opportunities/${draft}/publish`)).body).toMatchObject({ status: 'PUBLISHED', version: 2 });
    expect((await other.post(`/opportunities/${id}/close`)).body).toMatchObject({ code: 'not_owner' });
  });

  test('become public again even if another opportunity has the same external id', async () => {
    const { platform, trial, post, owner, other } = market;
    const [club, own] = [
      await organization('ACTIVE'),
      (await other.post('/organizations', { type: 'CLUB', name: 'Own', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' }))
        .body,
    ];
    const { id } = await post({ ...trial(), organizationId: club.id, status: 'PUBLISHED' });
    await moderate(club.id, 'suspend');
    const externalIds = [{ scheme: 'WIKIDATA', value: 'Q42' }];
    const { body } = await other.post('/opportunities', { ...trial(), organizationId: own.id, status: 'PUBLISHED', externalIds });
    expect(body).toMatchObject({ status: 'PUBLISHED' });
    expect((await owner.patch(`/opportunities/${id}`, { externalIds }, { 'if-match': '*' })).status).toBe(200);
    await moderate(club.id, 'reinstate');
    expect((await platform.anonymous.get(`/opportunities/${id}`)).body).toMatchObject({ externalIds });
  });

  test('leave tombstones, which disappear when they become public again', async () => {
    const { platform, trial, post, owner } = market;
    const club = await organization('ACTIVE');
    const { id } = await post({ ...trial(), organizationId: club.id, status: 'PUBLISHED' });
    await post({ ...trial(), organizationId: club.id });
    const since = new Date().toISOString();
    const changes = async () => {
      const { body } = await platform.anonymous.get(`/opportunities?updatedSince=${since}`);
      return { updated: ids({ body }), deleted: body.tombstones.map((each: { id: string }) => each.id) };
    };
    await moderate(club.id, 'suspend');
    expect(await changes()).toEqual({ updated: [], deleted: [id] });
    await moderate(club.id, 'reinstate');
    expect(await changes()).toEqual({ updated: [id], deleted: [] });
    expect((await owner.get(`/opportunities/${id}`)).body.version).toBe(3);
  });

  test('are hidden even if they were written before the projection of the suspension', async () => {
    const { platform, trial, post, moderator } = market;
    const club = await organization('ACTIVE');
    const { id: before } = await post({ ...trial(), organizationId: club.id, status: 'PUBLISHED' });
    await platform.settled();
    const blocked = await blockProjection(platform.database, 'opportunities', 'organizations');
    const { id: during } = await post({ ...trial(), organizationId: club.id, status: 'PUBLISHED' });
    expect((await platform.anonymous.get(`/opportunities/${during}`)).status).toBe(200);
    await moderator.post(`/organizations/${club.id}/suspend`, { reason: 'Reported' });
    await blocked.release();
    await platform.settled();
    for (const id of [before, during]) expect((await platform.anonymous.get(`/opportunities/${id}`)).status).toBe(404);
  });
});

test('an opportunity is public immediately after its organization, and stays public when the organization closes', async () => {
  const { platform, owner, trial, post } = market;
  const club = await organization('DRAFT');
  const { id } = await post({ ...trial(), organizationId: club.id });
  await platform.settled();
  const blocked = await blockProjection(platform.database, 'opportunities', 'organizations');
  try {
    await owner.post(`/organizations/${club.id}/activate`);
    await owner.post(`/opportunities/${id}/publish`);
    expect((await platform.anonymous.get(`/opportunities/${id}`)).body).toMatchObject({ id, status: 'PUBLISHED' });
  } finally {
    await blocked.release();
  }
  await owner.post(`/organizations/${club.id}/close`);
  await platform.settled();
  expect((await platform.anonymous.get(`/opportunities/${id}`)).body).toMatchObject({
    version: 2,
    organization: { id: club.id },
  });
});

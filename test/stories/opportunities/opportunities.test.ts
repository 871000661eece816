/** Opportunities in the public API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '../../eventually.ts';
import { inDays, offer, openMarket, type Market } from '../scouting/market.ts';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.platform.close());

describe('the four types', () => {
  test('are created with their own members and read back unchanged', async () => {
    const inputs = [
      {
        ...market.trial(),
        positions: ['LB'],
        ageRange: { min: 18, max: 23 },
        sessions: [{ startsAt: '2027-03-01T10:00:00Z', endsAt: '2027-03-01T12:00:00Z', capacity: 20 }],
      },
      {
        ...offer(),
        type: 'SCHOLARSHIP',
        organizationId: market.university.id,
        title: 'Full scholarship',
        sex: 'FEMALE',
        award: { amountMinor: 4_000_000_000, currency: 'USD', coverage: 'FULL', durationMonths: 48, renewable: true },
        academic: { minGpa: 3, gpaScale: 4, level: 'UNDERGRADUATE', programme: 'Sport science' },
      },
      {
        ...offer(),
        type: 'SHOWCASE',
        organizationId: market.club.id,
        title: 'Winter showcase',
        attendingOrganizationIds: [market.university.id],
        livestreamUrl: 'https://example.org/live',
      },
      {
        ...offer(),
        type: 'TALENT_REQUEST',
        organizationId: market.club.id,
        title: 'Tall goalkeeper',
        contractType: 'PROFESSIONAL',
        profile: { positions: ['GK'], heightMinCm: 190, dominantFoot: 'LEFT', metrics: [{ key: 'saves', value: 50 }] },
        requirements: [{ metricKey: 'heightCm', operator: 'GTE', value: 190, mandatory: true }],
      },
    ];
    for (const input of inputs) {
      const created = await market.owner.post('/opportunities', { ...input, status: 'PUBLISHED' });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ status: 'PUBLISHED', remainingOpenings: 5, title: input.title, type: input.type });
      const read = await market.platform.anonymous.get(`/opportunities/${created.body.id}`);
      expect(read.body).toEqual(created.body);
    }
    const listed = await market.platform.anonymous.get('/opportunities?sort=deadline');
    expect(listed.body.data.map((each: { type: string }) => each.type).toSorted()).toEqual([
      'SCHOLARSHIP',
      'SHOWCASE',
      'TALENT_REQUEST',
      'TRIAL',
    ]);
    const showcase = await market.platform.anonymous.graphql(
      '{ opportunities(filter: { type: SHOWCASE }) { nodes { attendingOrganizations { name } } } }',
    );
    expect(showcase.body.data.opportunities.nodes).toEqual([{ attendingOrganizations: [{ name: 'Open University' }] }]);
  });

  test('reject members of other types', async () => {
    const { body } = await market.owner.post('/opportunities', {
      ...market.trial(),
      award: { coverage: 'FULL' },
      contractType: 'YOUTH',
    });
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [
        { pointer: '/award', code: 'not_for_type' },
        { pointer: '/contractType', code: 'not_for_type' },
      ],
    });
  });
});

describe('an opportunity', () => {
  test('can be drafted, published, paused, resumed, closed, reopened, canceled and archived', async () => {
    const { id } = await market.post(market.trial());
    expect((await market.platform.anonymous.get(`/opportunities/${id}`)).status).toBe(404);
    expect((await market.other.post(`/opportunities/${id}/publish`)).status).toBe(404);
    const states: string[] = [];
    for (const verb of ['publish', 'pause', 'resume', 'close'])
      states.push((await market.owner.post(`/opportunities/${id}/${verb}`)).body.status);
    expect(states).toEqual(['PUBLISHED', 'PAUSED', 'PUBLISHED', 'CLOSED']);
    expect((await market.owner.post(`/opportunities/${id}/reopen`, {})).status).toBe(422);
    expect((await market.owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: inDays(-1) })).body).toMatchObject({
      errors: [{ pointer: '/applicationDeadline', code: 'in_past' }],
    });
    const deadline = inDays(60);
    expect((await market.owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: deadline })).body).toMatchObject({
      status: 'PUBLISHED',
      applicationDeadline: deadline,
    });
    expect((await market.other.post(`/opportunities/${id}/cancel`)).body).toMatchObject({ code: 'not_owner' });
    expect((await market.owner.post(`/opportunities/${id}/cancel`)).body.status).toBe('CANCELLED');
    expect((await market.owner.post(`/opportunities/${id}/publish`)).body).toMatchObject({
      code: 'invalid_transition',
      allowedTransitions: ['archive'],
    });
    expect((await market.owner.post(`/opportunities/${id}/archive`)).body).toMatchObject({ status: 'ARCHIVED', version: 8 });
    expect((await market.platform.anonymous.get(`/opportunities/${id}`)).body).toMatchObject({ status: 'ARCHIVED' });
  });

  test('is closed and no longer listed from its deadline on', async () => {
    const soon = new Date(Date.now() + 3_000).toISOString();
    const { id } = await market.post({
      ...market.trial(),
      title: 'Short notice',
      applicationDeadline: soon,
      status: 'PUBLISHED',
    });
    await eventually(async () =>
      expect((await market.platform.anonymous.get(`/opportunities/${id}`)).body.status).toBe('CLOSED'),
    );
    expect((await market.platform.anonymous.get('/opportunities?q=short')).body.data).toEqual([]);
    expect((await market.platform.anonymous.get('/opportunities?q=short&status=PUBLISHED')).body.data).toEqual([]);
    expect((await market.platform.anonymous.get('/opportunities?q=short&status=CLOSED')).body.data).toHaveLength(1);
    const since = new Date().toISOString();
    await market.platform.maintain();
    const changed = (await market.platform.anonymous.get(`/opportunities?updatedSince=${since}`)).body.data;
    expect(changed).toMatchObject([{ id, status: 'CLOSED', version: 2 }]);
    expect((await market.owner.post(`/opportunities/${id}/pause`)).body).toMatchObject({
      allowedTransitions: ['reopen', 'cancel', 'archive'],
    });
    const moved = await market.owner.patch(`/opportunities/${id}`, { applicationDeadline: inDays(3) }, { 'if-match': '*' });
    expect(moved.body).toMatchObject({ errors: [{ pointer: '/applicationDeadline', code: 'closed' }] });
    expect((await market.owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: inDays(3) })).body.status).toBe(
      'PUBLISHED',
    );
  });

  test('cannot be reopened with a deadline before applications open', async () => {
    const opensLate = { ...market.trial(), applicationOpensAt: inDays(20), status: 'PUBLISHED' };
    const { id } = await market.post(opensLate);
    await market.owner.post(`/opportunities/${id}/close`);
    const early = await market.owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: inDays(10) });
    expect(early.body).toMatchObject({ errors: [{ pointer: '/applicationOpensAt', code: 'after_deadline' }] });
    expect((await market.owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: inDays(21) })).status).toBe(200);
  });

  test('requires a deadline in the future and an active organization to be published', async () => {
    const late = await market.owner.post('/opportunities', {
      ...market.trial(),
      applicationDeadline: inDays(-1),
      status: 'PUBLISHED',
    });
    expect(late.body).toMatchObject({ errors: [{ pointer: '/applicationDeadline', code: 'in_past' }] });
    const { body: draftClub } = await market.owner.post('/organizations', {
      type: 'CLUB',
      name: 'Draft',
      country: 'DE',
      sports: ['FOOTBALL'],
    });
    const { id } = await market.post({ ...market.trial(), organizationId: draftClub.id });
    expect((await market.owner.post(`/opportunities/${id}/publish`)).body).toMatchObject({
      errors: [{ pointer: '/organizationId', code: 'not_active' }],
    });
    await market.owner.post(`/organizations/${draftClub.id}/activate`);
    expect((await market.owner.post(`/opportunities/${id}/publish`)).body.status).toBe('PUBLISHED');
  });

  test('belongs to the account of its organization', async () => {
    expect((await market.other.post('/opportunities', market.trial())).body).toMatchObject({ code: 'not_owner' });
    const unknown = await market.owner.post('/opportunities', {
      ...market.trial(),
      organizationId: '00000000-0000-4000-8000-000000000000',
    });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/organizationId', code: 'unknown_organization' }] });
    const all = { organizationId: '00000000-0000-4000-8000-000000000000', status: 'PUBLISHED', minorsAllowed: true };
    const wrong = { positions: ['PG'], applicationDeadline: inDays(-1) };
    const violations = (await market.owner.post('/opportunities', { ...market.trial(), ...all, ...wrong })).body.errors;
    expect(violations.map((violation: { pointer: string }) => violation.pointer).toSorted()).toEqual([
      '/applicationDeadline',
      '/organizationId',
      '/positions/0',
    ]);
    const reader = await market.platform.account({ account: 'Club', scopes: ['athletes:write'] });
    expect((await reader.post('/opportunities', market.trial())).body).toMatchObject({ code: 'insufficient_scope' });
  });

  test('accepts minors only for a verified organization with a safeguarding officer', async () => {
    const rejected = await market.owner.post('/opportunities', { ...market.trial(), minorsAllowed: true });
    expect(rejected.body).toMatchObject({ errors: [{ pointer: '/minorsAllowed', code: 'safeguarding_required' }] });
    await market.owner.patch(
      `/organizations/${market.university.id}`,
      { safeguarding: { officerName: 'Ada' } },
      { 'if-match': '*' },
    );
    const { id } = await market.post({ ...market.trial(), organizationId: market.university.id });
    expect((await market.owner.patch(`/opportunities/${id}`, { minorsAllowed: true }, { 'if-match': '*' })).status).toBe(422);
    const moderator = await market.platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    expect((await moderator.post(`/organizations/${market.university.id}/verify`, { method: 'Register' })).status).toBe(200);
    expect((await market.owner.patch(`/opportunities/${id}`, { minorsAllowed: true }, { 'if-match': '*' })).body).toMatchObject({
      minorsAllowed: true,
    });
  });

  test('requires a known currency', async () => {
    const paid = { ...offer(), type: 'SCHOLARSHIP', title: 'Paid', organizationId: market.university.id };
    const { body } = await market.owner.post('/opportunities', { ...paid, award: { amountMinor: 1, currency: 'ABC' } });
    expect(body).toMatchObject({ errors: [{ pointer: '/award/currency', code: 'unknown_currency' }] });
  });

  test('is imported by external id, and a repeated import changes nothing', async () => {
    const items = [
      {
        ...market.trial(),
        title: 'Imported',
        status: 'PUBLISHED',
        externalIds: [{ scheme: 'FEED', value: 'o1' }],
        ageRange: { max: 21, min: 18 },
        requirements: [{ value: 2, operator: 'GTE', attribute: 'YEARS_EXPERIENCE' }],
      },
      { ...market.trial(), positions: ['PG'], externalIds: [{ scheme: 'FEED', value: 'o2' }] },
    ];
    const outcomes = async () =>
      (await market.owner.post('/opportunities/batch', { items })).body.data.map((item: { outcome: string }) => item.outcome);
    expect(await outcomes()).toEqual(['CREATED', 'FAILED']);
    expect(await outcomes()).toEqual(['UNCHANGED', 'FAILED']);
    expect((await market.platform.anonymous.get('/opportunities?externalId=FEED:o1')).body.data).toHaveLength(1);
  });
});

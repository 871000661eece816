/** Opportunities through the public doors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
let other: Client;
let club: { id: string };
let university: { id: string };

beforeAll(async () => {
  world = await openWorld();
  [owner, other] = await Promise.all([world.account({ account: 'Club' }), world.account({ account: 'Other' })]);
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

describe('the four types', () => {
  test('are created with their own members and come back whole', async () => {
    const inputs = [
      {
        ...trial(),
        positions: ['LB'],
        ageRange: { min: 18, max: 23 },
        sessions: [{ startsAt: '2027-03-01T10:00:00Z', endsAt: '2027-03-01T12:00:00Z', capacity: 20 }],
      },
      {
        ...common(),
        type: 'SCHOLARSHIP',
        organizationId: university.id,
        title: 'Full scholarship',
        sex: 'FEMALE',
        award: { amountMinor: 4_000_000_000, currency: 'USD', coverage: 'FULL', durationMonths: 48, renewable: true },
        academic: { minGpa: 3, gpaScale: 4, level: 'UNDERGRADUATE', programme: 'Sport science' },
      },
      {
        ...common(),
        type: 'SHOWCASE',
        organizationId: club.id,
        title: 'Winter showcase',
        attendingOrganizationIds: [university.id],
        livestreamUrl: 'https://example.org/live',
      },
      {
        ...common(),
        type: 'TALENT_REQUEST',
        organizationId: club.id,
        title: 'A tall keeper',
        contractType: 'PROFESSIONAL',
        profile: { positions: ['GK'], heightMinCm: 190, dominantFoot: 'LEFT', metrics: [{ key: 'saves', value: 50 }] },
        requirements: [{ metricKey: 'heightCm', operator: 'GTE', value: 190, mandatory: true }],
      },
    ];
    for (const input of inputs) {
      const created = await owner.post('/opportunities', { ...input, status: 'PUBLISHED' });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ status: 'PUBLISHED', remainingOpenings: 5, title: input.title, type: input.type });
      const read = await world.anonymous.get(`/opportunities/${created.body.id}`);
      expect(read.body).toEqual(created.body);
    }
    const listed = await world.anonymous.get('/opportunities?sort=deadline');
    expect(listed.body.data.map((each: { type: string }) => each.type).toSorted()).toEqual([
      'SCHOLARSHIP',
      'SHOWCASE',
      'TALENT_REQUEST',
      'TRIAL',
    ]);
    const showcase = await world.anonymous.graphql(
      '{ opportunities(filter: { type: SHOWCASE }) { nodes { attendingOrganizations { name } } } }',
    );
    expect(showcase.body.data.opportunities.nodes).toEqual([{ attendingOrganizations: [{ name: 'Open University' }] }]);
  });

  test('refuse members of each other', async () => {
    const { body } = await owner.post('/opportunities', { ...trial(), award: { coverage: 'FULL' }, contractType: 'YOUTH' });
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
  test('goes its way: drafted, published, paused, resumed, closed, reopened, cancelled, archived', async () => {
    const { id } = await post(trial());
    expect((await world.anonymous.get(`/opportunities/${id}`)).status).toBe(404);
    expect((await other.post(`/opportunities/${id}/publish`)).status).toBe(404);
    const states: string[] = [];
    for (const verb of ['publish', 'pause', 'resume', 'close'])
      states.push((await owner.post(`/opportunities/${id}/${verb}`)).body.status);
    expect(states).toEqual(['PUBLISHED', 'PAUSED', 'PUBLISHED', 'CLOSED']);
    expect((await owner.post(`/opportunities/${id}/reopen`, {})).status).toBe(422);
    expect((await owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: inDays(-1) })).body).toMatchObject({
      errors: [{ pointer: '/applicationDeadline', code: 'in_past' }],
    });
    const deadline = inDays(60);
    expect((await owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: deadline })).body).toMatchObject({
      status: 'PUBLISHED',
      applicationDeadline: deadline,
    });
    expect((await other.post(`/opportunities/${id}/cancel`)).body).toMatchObject({ code: 'not_owner' });
    expect((await owner.post(`/opportunities/${id}/cancel`)).body.status).toBe('CANCELLED');
    expect((await owner.post(`/opportunities/${id}/publish`)).body).toMatchObject({
      code: 'invalid_transition',
      allowedTransitions: ['archive'],
    });
    expect((await owner.post(`/opportunities/${id}/archive`)).body).toMatchObject({ status: 'ARCHIVED', version: 8 });
    expect((await world.anonymous.get(`/opportunities/${id}`)).body).toMatchObject({ status: 'ARCHIVED' });
  });

  test('is closed by its deadline in that moment, and not listed as open', async () => {
    const soon = new Date(Date.now() + 700).toISOString();
    const { id } = await post({ ...trial(), title: 'Short notice', applicationDeadline: soon, status: 'PUBLISHED' });
    await eventually(async () => expect((await world.anonymous.get(`/opportunities/${id}`)).body.status).toBe('CLOSED'));
    expect((await world.anonymous.get('/opportunities?q=short')).body.data).toEqual([]);
    expect((await world.anonymous.get('/opportunities?q=short&status=PUBLISHED')).body.data).toEqual([]);
    expect((await world.anonymous.get('/opportunities?q=short&status=CLOSED')).body.data).toHaveLength(1);
    expect((await owner.post(`/opportunities/${id}/pause`)).body).toMatchObject({
      allowedTransitions: ['reopen', 'cancel', 'archive'],
    });
    const moved = await owner.patch(`/opportunities/${id}`, { applicationDeadline: inDays(3) }, { 'if-match': '*' });
    expect(moved.body).toMatchObject({ errors: [{ pointer: '/applicationDeadline', code: 'closed' }] });
    expect((await owner.post(`/opportunities/${id}/reopen`, { applicationDeadline: inDays(3) })).body.status).toBe('PUBLISHED');
  });

  test('is published with a deadline to come and by an active organization only', async () => {
    const late = await owner.post('/opportunities', { ...trial(), applicationDeadline: inDays(-1), status: 'PUBLISHED' });
    expect(late.body).toMatchObject({ errors: [{ pointer: '/applicationDeadline', code: 'in_past' }] });
    const { body: draftClub } = await owner.post('/organizations', {
      type: 'CLUB',
      name: 'Draft',
      country: 'DE',
      sports: ['FOOTBALL'],
    });
    const { id } = await post({ ...trial(), organizationId: draftClub.id });
    expect((await owner.post(`/opportunities/${id}/publish`)).body).toMatchObject({
      errors: [{ pointer: '/organizationId', code: 'not_active' }],
    });
    await owner.post(`/organizations/${draftClub.id}/activate`);
    expect((await owner.post(`/opportunities/${id}/publish`)).body.status).toBe('PUBLISHED');
  });

  test('belongs to the account of its organization', async () => {
    expect((await other.post('/opportunities', trial())).body).toMatchObject({ code: 'not_owner' });
    const unknown = await owner.post('/opportunities', { ...trial(), organizationId: '00000000-0000-4000-8000-000000000000' });
    expect(unknown.body).toMatchObject({ errors: [{ pointer: '/organizationId', code: 'unknown_organization' }] });
    const reader = await world.account({ account: 'Club', scopes: ['athletes:write'] });
    expect((await reader.post('/opportunities', trial())).body).toMatchObject({ code: 'insufficient_scope' });
  });

  test('takes minors only where somebody looks after them', async () => {
    const refused = await owner.post('/opportunities', { ...trial(), minorsAllowed: true });
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/minorsAllowed', code: 'safeguarding_required' }] });
    await owner.patch(`/organizations/${university.id}`, { safeguarding: { officerName: 'Ada' } }, { 'if-match': '*' });
    const { id } = await post({ ...trial(), organizationId: university.id });
    expect((await owner.patch(`/opportunities/${id}`, { minorsAllowed: true }, { 'if-match': '*' })).status).toBe(422);
    const moderator = await world.account({ account: 'Moderation', scopes: ['moderation:write'] });
    expect((await moderator.post(`/organizations/${university.id}/verify`, { method: 'Register' })).status).toBe(200);
    expect((await owner.patch(`/opportunities/${id}`, { minorsAllowed: true }, { 'if-match': '*' })).body).toMatchObject({
      minorsAllowed: true,
    });
  });

  test('is changed by merge patch: openings follow the total, null deletes, a repetition changes nothing', async () => {
    const { id } = await post({
      ...trial(),
      ageRange: { max: 21 },
      sessions: [{ startsAt: '2027-03-01T10:00:00+01:00', venue: 'Pitch 2' }],
    });
    const patched = await owner.patch(`/opportunities/${id}`, { totalOpenings: 8, ageRange: null }, { 'if-match': '"1"' });
    expect(patched.body).toMatchObject({ totalOpenings: 8, remainingOpenings: 8, ageRange: null, version: 2 });
    const same = { totalOpenings: 8, sessions: [{ venue: 'Pitch 2', startsAt: '2027-03-01T09:00:00Z' }] };
    expect((await owner.patch(`/opportunities/${id}`, same, { 'if-match': '"2"' })).body.version).toBe(2);
    expect((await owner.patch(`/opportunities/${id}`, { title: null }, { 'if-match': '*' })).status).toBe(422);
    expect((await owner.patch(`/opportunities/${id}`, { award: { coverage: 'FULL' } }, { 'if-match': '*' })).body).toMatchObject({
      errors: [{ pointer: '/award' }],
    });
    expect((await owner.delete(`/opportunities/${id}`, { 'if-match': '"2"' })).status).toBeLessThan(300);
    expect((await owner.get(`/opportunities/${id}`)).status).toBe(404);
  });

  test('is imported by external id, and a second import changes nothing', async () => {
    const items = [
      {
        ...trial(),
        title: 'Imported',
        status: 'PUBLISHED',
        externalIds: [{ scheme: 'FEED', value: 'o1' }],
        ageRange: { max: 21, min: 18 },
        requirements: [{ value: 2, operator: 'GTE', attribute: 'YEARS_EXPERIENCE' }],
      },
      { ...trial(), positions: ['PG'], externalIds: [{ scheme: 'FEED', value: 'o2' }] },
    ];
    const outcomes = async () =>
      (await owner.post('/opportunities/batch', { items })).body.data.map((item: { outcome: string }) => item.outcome);
    expect(await outcomes()).toEqual(['CREATED', 'FAILED']);
    expect(await outcomes()).toEqual(['UNCHANGED', 'FAILED']);
    expect((await world.anonymous.get('/opportunities?externalId=FEED:o1')).body.data).toHaveLength(1);
  });
});

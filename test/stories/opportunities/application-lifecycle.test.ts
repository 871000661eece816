/** Applications and their surroundings: openings, expiring offers, organizations, minors and removed athletes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { responses, applicantsOf, applicationsPath as path, applyTransitions, type Applicants } from './applicants.ts';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { inDays, openMarket, type Market } from '../scouting/market.ts';
import { consent, createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { tablesWith } from '../competitions/tables.ts';

let market: Market;
let agent: Client;
let academy: Client & { readonly organizationId: string };
let createOpportunity: Applicants['createOpportunity'];
let apply: Applicants['apply'];
let createApplication: Applicants['createApplication'];
beforeAll(async () => {
  market = await openMarket();
  agent = await market.platform.account({ account: 'Agent' });
  academy = await verifiedAccount(market.platform, market.moderator, 'Academy', { officer: true });
  ({ createOpportunity, apply, createApplication } = applicantsOf(market, agent));
});
afterAll(() => market.platform.close());

describe('openings', () => {
  test('that are released close a filled opportunity, and a cancellation ends its applications', async () => {
    const opportunity = await createOpportunity({ totalOpenings: 2 });
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await createApplication(opportunity.id)).id);
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;
    for (const id of [first, second, third]) await applyTransitions(market.owner, id, 'review', 'offer');
    await applyTransitions(market.owner, fourth, 'review');
    await applyTransitions(agent, first, 'accept');
    await applyTransitions(agent, second, 'accept');
    expect((await agent.post(`${path}/${third}/accept`)).body).toMatchObject({ status: 409, code: 'openings_exhausted' });
    expect((await market.owner.post(`${path}/${fourth}/offer`)).body).toMatchObject({ status: 409, code: 'openings_exhausted' });
    await applyTransitions(agent, second, 'withdraw');
    const read = async () => (await market.platform.anonymous.get(`/opportunities/${opportunity.id}`)).body;
    expect(await read()).toMatchObject({ status: 'CLOSED', remainingOpenings: 1 });
    const lower = await market.owner.patch(`/opportunities/${opportunity.id}`, { totalOpenings: 1 }, { 'if-match': '*' });
    expect(lower.body).toMatchObject({ status: 'FILLED', remainingOpenings: 0 });
    await market.owner.patch(`/opportunities/${opportunity.id}`, { totalOpenings: 3 }, { 'if-match': '*' });
    await applyTransitions(agent, third, 'accept');
    await applyTransitions(market.owner, third, 'enroll');
    expect(await read()).toMatchObject({ status: 'CLOSED', remainingOpenings: 1 });
    expect((await market.owner.post(`/opportunities/${opportunity.id}/cancel`)).body).toMatchObject({ remainingOpenings: 2 });
    const ends = await Promise.all(ids.map(async (id) => (await agent.get(`${path}/${id}`)).body));
    expect(ends.map(({ status }) => status)).toEqual(['RESCINDED', 'WITHDRAWN', 'ENROLLED', 'REJECTED', 'REJECTED']);
    expect([ends[0], ends[3], ends[4]].map(({ decision }) => decision.reasonCode)).toEqual(
      Array(3).fill('OPPORTUNITY_CANCELLED'),
    );
    expect(fifth).toBe(ends[4].id);
  });

  test('cannot be offered with an expiry in the past', async () => {
    const { id } = await createApplication((await createOpportunity()).id);
    await applyTransitions(market.owner, id, 'review');
    expect((await market.owner.post(`${path}/${id}/offer`, { expiresAt: inDays(-1) })).body).toMatchObject({
      errors: [{ pointer: '/expiresAt', code: 'in_past' }],
    });
  });

  test('of a suspended organization cannot be offered or accepted, but can be declined and rejected', async () => {
    const withoutOfficer = await verifiedAccount(market.platform, market.moderator, 'Held', { officer: false });
    const { body: opportunity } = await withoutOfficer.post('/opportunities', {
      ...market.trial(),
      organizationId: withoutOfficer.organizationId,
      status: 'PUBLISHED',
    });
    const [first, second] = [await createApplication(opportunity.id), await createApplication(opportunity.id)];
    const hide = () => agent.patch(`/athletes/${second.athleteId}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
    expect((await hide()).status).toBe(200);
    expect((await withoutOfficer.get(`${path}/${second.id}`)).body.athlete).toMatchObject({ id: second.athleteId });
    await applyTransitions(withoutOfficer, first.id, 'review', 'offer');
    expect(
      (await market.moderator.post(`/organizations/${withoutOfficer.organizationId}/suspend`, { reason: 'Fraud' })).status,
    ).toBe(200);
    await market.platform.settled();
    expect((await agent.post(`${path}/${first.id}/accept`)).body).toMatchObject({ errors: [{ code: 'not_running' }] });
    expect((await withoutOfficer.get(`${path}/${second.id}`)).body).toMatchObject({ status: 'SUBMITTED', athlete: null });
    await applyTransitions(withoutOfficer, second.id, 'review');
    expect((await withoutOfficer.post(`${path}/${second.id}/invite`)).body).toMatchObject({ errors: [{ code: 'not_running' }] });
    expect((await agent.get(`${path}/${first.id}`)).body).toMatchObject({ status: 'OFFERED', opportunity: null });
    expect((await applyTransitions(agent, first.id, 'decline')).status).toBe('DECLINED');
    expect((await applyTransitions(withoutOfficer, second.id, 'reject')).decision).toEqual({
      reasonCode: 'OTHER',
      message: null,
    });
  });
});

describe('minors', () => {
  test('can apply to opportunities for minors, need CONTACT consent for invitations, and their answers are hidden with them', async () => {
    const trial = { ...market.trial(), organizationId: academy.organizationId, status: 'PUBLISHED' };
    const [closed, open] = [
      (await academy.post('/opportunities', trial)).body.id,
      (await academy.post('/opportunities', { ...trial, minorsAllowed: true })).body.id,
    ];
    const home = await verifiedAccount(market.platform, market.moderator, 'Home', { officer: false });
    const unconsented = await createMinor(home, []);
    const minor = await createMinor(home, ['PROFILE'], { displayName: 'Juno Dale', heightCm: 171 });
    const applies = (opportunityId: string, athleteId: string) =>
      home.post(path, { opportunityId, athleteId, answers: responses, status: 'SUBMITTED' });
    expect((await applies(closed, minor)).body).toMatchObject({
      errors: [{ pointer: '/athleteId', code: 'minors_not_allowed' }],
    });
    expect((await applies(open, unconsented)).body).toMatchObject({
      status: 409,
      code: 'consent_required',
      missingScopes: ['PROFILE'],
    });
    const { id } = (await applies(open, minor)).body;
    await applyTransitions(academy, id, 'review');
    for (const verb of ['invite', 'offer'])
      expect((await academy.post(`${path}/${id}/${verb}`)).body).toMatchObject({
        status: 409,
        code: 'consent_required',
        missingScopes: ['CONTACT'],
      });
    const given = await consent(home, minor, ['PROFILE', 'CONTACT']);
    await applyTransitions(academy, id, 'invite');
    expect((await academy.get(`${path}/${id}`)).body).toMatchObject({
      answers: responses,
      athlete: { id: minor, displayName: 'Juno Dale', heightCm: 171, restricted: false, media: [] },
    });
    // The profile is restricted everywhere else.
    expect((await academy.get(`/athletes/${minor}`)).body).toMatchObject({ displayName: 'J. D.', heightCm: null });
    expect((await home.get(`/athletes/${minor}/access-log`)).body.data).toMatchObject([{ scopes: ['CONTACT', 'PROFILE'] }]);
    expect((await home.post(`/athletes/${minor}/consents/${given}/withdraw`, {})).status).toBe(200);
    expect((await academy.post(`${path}/${id}/offer`)).body).toMatchObject({ code: 'consent_required' });
    for (const { id: other } of (await home.get(`/athletes/${minor}/consents`)).body.data)
      await home.post(`/athletes/${minor}/consents/${other}/withdraw`, {});
    expect((await academy.get(`${path}/${id}`)).body).toMatchObject({ status: 'INVITED', athlete: null, answers: null });
    expect((await home.get(`${path}/${id}`)).body.answers).toEqual(responses);
  });

  test('are readable by the receiving account while the application is active, like all applicants', async () => {
    const opportunity = await academy.post('/opportunities', {
      ...market.trial(),
      organizationId: academy.organizationId,
      status: 'PUBLISHED',
      minorsAllowed: true,
    });
    const home = await verifiedAccount(market.platform, market.moderator, 'Home', { officer: false });
    const ids = [
      await createMinor(home, ['PROFILE'], { displayName: 'Juno Dale' }),
      (await createAdult(home, { displayName: 'Ada Quillon', visibility: 'PRIVATE' })).id,
    ];
    const created = await Promise.all(
      ids.map((athleteId) => home.post(path, { opportunityId: opportunity.body.id, athleteId, status: 'SUBMITTED' })),
    );
    const names = async (reader: Client) => {
      const query = 'query ($id: ID!) { application(id: $id) { athlete { displayName memberships { nodes { id } } } } }';
      const read = await Promise.all(created.map(({ body }) => reader.graphql(query, { id: body.id })));
      return read.map(({ body }) => body.data.application?.athlete?.displayName);
    };
    expect(await names(academy)).toEqual(['Juno Dale', 'Ada Quillon']);
    expect(await names(home)).toEqual(['Juno Dale', 'Ada Quillon']);
    expect(await names(market.other)).toEqual([undefined, undefined]);
    const ownerResponses = await Promise.all(ids.map(async (id) => (await academy.get(`/athletes/${id}`)).body));
    expect(ownerResponses).toMatchObject([{ displayName: 'J. D.' }, { status: 404 }]);
    // Without a safeguarding officer, the receiving account reads the public profile only.
    const officer = (safeguarding: object | null) =>
      academy.patch(`/organizations/${academy.organizationId}`, { safeguarding }, { 'if-match': '*' });
    expect((await officer(null)).status).toBe(200);
    await market.platform.settled();
    expect(await names(academy)).toEqual(['J. D.', 'Ada Quillon']);
    await officer({ officerName: 'Sam Guard' });
    await market.platform.settled();
    expect(await names(academy)).toEqual(['Juno Dale', 'Ada Quillon']);
    expect(idsOf(await academy.get(`${path}?athleteId=${ids[1]}`))).toHaveLength(1);
    await applyTransitions(academy, created[0]?.body.id, 'reject');
    await applyTransitions(home, created[1]?.body.id, 'withdraw');
    expect(await names(academy)).toEqual(['J. D.', undefined]);
    expect(idsOf(await home.get(`${path}?athleteId=${ids[1]}`))).toHaveLength(1);
    expect(idsOf(await academy.get(`${path}?athleteId=${ids[1]}`))).toEqual([]);
  });
});

describe('the athlete', () => {
  test('is anonymized in a withdrawn application when erased, which releases the opening and deletes drafts', async () => {
    const opportunity = await createOpportunity();
    const { id, athleteId } = await createApplication(opportunity.id, {
      answers: [{ question: 'Name?', answer: 'Zephyrine W.' }],
    });
    expect(await tablesWith(market.platform.database, ['Zephyrine'])).toEqual([
      'opportunities.application',
      'opportunities.history',
    ]);
    const draft = await apply((await createOpportunity()).id, athleteId, { status: 'DRAFT' });
    await applyTransitions(market.owner, id, 'review', 'offer');
    await applyTransitions(agent, id, 'accept');
    const exported = (await agent.get(`/athletes/${athleteId}/export`)).body.applications.data;
    expect(exported.map((each: { id: string }) => each.id)).toEqual([draft.body.id, id]);
    expect(exported[1]).toMatchObject({ answers: [{ answer: 'Zephyrine W.' }], history: [{ action: 'accept' }, {}, {}, {}] });
    expect((await agent.post(`/athletes/${athleteId}/erase`)).status).toBe(200);
    await market.platform.settled();
    for (const [client, visible] of [
      [agent, []],
      [market.owner, null],
    ] as const)
      expect((await client.get(`${path}/${id}`)).body).toMatchObject({ status: 'WITHDRAWN', athlete: null, answers: visible });
    expect((await agent.get(`${path}/${draft.body.id}`)).status).toBe(404);
    expect((await market.platform.anonymous.get(`/opportunities/${opportunity.id}`)).body.remainingOpenings).toBe(5);
    expect(await tablesWith(market.platform.database, ['Zephyrine'])).toEqual([]);
    expect(await tablesWith(market.platform.database, [athleteId])).not.toContain('opportunities.application');
    // As if another write had started before the erasure.
    const database = openDatabase({ url: market.platform.database.ownerUrl, name: 'test-late', poolSize: 1 });
    const late = await createApplication(opportunity.id);
    await database.query(
      sql`/* test.late */ update opportunities.application set athlete_id = ${athleteId} where id = ${late.id}`,
    );
    await database.close();
    await market.platform.maintain();
    expect((await market.owner.get(`${path}/${late.id}`)).body).toMatchObject({ status: 'WITHDRAWN', athlete: null });
  });

  test('has the applications of both profiles after a merge, and for one opportunity the one with more progress', async () => {
    const [one, two] = [await createOpportunity(), await createOpportunity()];
    const [first, second] = [await createApplication(one.id), await createApplication(one.id)];
    const otherApplication = (await apply(two.id, second.athleteId)).body.id;
    await applyTransitions(market.owner, second.id, 'review', 'offer');
    await applyTransitions(agent, second.id, 'accept');
    expect((await market.moderator.post(`/athletes/${second.athleteId}/merge`, { intoId: first.athleteId })).status).toBe(200);
    await market.platform.settled();
    const read = async (id: string) => (await agent.get(`${path}/${id}`)).body;
    expect(await read(second.id)).toMatchObject({ status: 'ACCEPTED', athlete: { id: first.athleteId } });
    expect(await read(otherApplication)).toMatchObject({ status: 'SUBMITTED', athlete: { id: first.athleteId } });
    expect(await read(first.id)).toMatchObject({ status: 'WITHDRAWN', athlete: null });
    expect((await market.platform.anonymous.get(`/opportunities/${one.id}`)).body.remainingOpenings).toBe(4);
  });
});

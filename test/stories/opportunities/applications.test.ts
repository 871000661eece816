/** Applications in the public API: the transitions of both sides, visibility, and openings under concurrency. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { applicantsOf, applicationsPath as path, applyTransitions, type Applicants } from './applicants.ts';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { inDays, openMarket, type Market } from '../scouting/market.ts';
import { createAthlete } from '../athletes/people.ts';

let market: Market;
let agent: Client;
let createOpportunity: Applicants['createOpportunity'];
let apply: Applicants['apply'];
let createApplication: Applicants['createApplication'];
let database: Database;
beforeAll(async () => {
  market = await openMarket();
  agent = await market.platform.account({ account: 'Agent' });
  ({ createOpportunity, apply, createApplication } = applicantsOf(market, agent));
  database = openDatabase({ url: market.platform.database.ownerUrl, name: 'test-openings', poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await market.platform.close();
});

test('both sides apply their own transitions to an application and read its history', async () => {
  const opportunity = await createOpportunity({ totalOpenings: 1 });
  const { id, athleteId } = await createApplication(opportunity.id, { status: 'DRAFT' });
  expect((await market.owner.get(`${path}/${id}`)).status).toBe(404);
  expect((await market.owner.post(`${path}/${id}/review`)).status).toBe(404);
  const edited = await agent.patch(`${path}/${id}`, { answers: [{ question: 'Foot?', answer: 'Left' }] }, { 'if-match': '"1"' });
  expect(edited.body).toMatchObject({ version: 2, status: 'DRAFT', answers: [{ answer: 'Left' }], sides: ['APPLICANT'] });
  await applyTransitions(agent, id, 'submit');
  expect((await market.owner.get(`${path}/${id}`)).body).toMatchObject({
    status: 'SUBMITTED',
    sides: ['OPPORTUNITY'],
    athlete: { id: athleteId },
    opportunity: { id: opportunity.id, organization: { name: 'FC Open' } },
    answers: [{ question: 'Foot?', answer: 'Left' }],
    offer: null,
    decision: null,
  });
  expect((await agent.patch(`${path}/${id}`, { answers: [] }, { 'if-match': '*' })).body).toMatchObject({
    errors: [{ pointer: '/answers', code: 'submitted' }],
  });
  expect((await market.owner.patch(`${path}/${id}`, { answers: [] }, { 'if-match': '*' })).body.code).toBe('not_owner');
  expect((await agent.post(`${path}/${id}/review`)).body).toMatchObject({ status: 403, code: 'not_owner' });
  await applyTransitions(market.owner, id, 'review', 'shortlist', 'invite');
  expect((await market.owner.post(`${path}/${id}/accept`)).body).toMatchObject({ status: 403, code: 'not_owner' });
  expect((await agent.post(`${path}/${id}/accept`)).body).toMatchObject({
    code: 'invalid_transition',
    allowedTransitions: ['withdraw', 'decline'],
  });
  const expiresAt = inDays(7);
  const offer = await market.owner.post(`${path}/${id}/offer`, { expiresAt });
  expect(offer.body).toMatchObject({ status: 'OFFERED', offer: { expiresAt } });
  expect((await agent.post(`${path}/${id}/accept`)).body.status).toBe('ACCEPTED');
  expect((await market.platform.anonymous.get(`/opportunities/${opportunity.id}`)).body).toMatchObject({
    status: 'FILLED',
    remainingOpenings: 0,
  });
  expect((await market.owner.post(`${path}/${id}/enroll`)).body.status).toBe('ENROLLED');
  const histories = [agent, market.owner].map(async (client) => (await client.get(`${path}/${id}`)).body.history);
  for (const history of await Promise.all(histories))
    expect(history.map(({ action, status, by }: Record<string, string>) => `${by} ${action} ${status}`)).toEqual([
      'OPPORTUNITY enroll ENROLLED',
      'APPLICANT accept ACCEPTED',
      'OPPORTUNITY offer OFFERED',
      'OPPORTUNITY invite INVITED',
      'OPPORTUNITY shortlist SHORTLISTED',
      'OPPORTUNITY review UNDER_REVIEW',
      'APPLICANT submit SUBMITTED',
    ]);
});

test('the owner of an athlete can apply to an opportunity once', async () => {
  const opportunity = await createOpportunity();
  const { id, athleteId } = await createApplication(opportunity.id);
  expect((await apply(opportunity.id, athleteId)).body).toMatchObject({ status: 409, code: 'conflict', existingId: id });
  const { id: another } = await createAdult(agent);
  const both = await Promise.all([1, 2, 3].map(() => apply(opportunity.id, another)));
  expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
  const { id: theirs } = await createAdult(market.other);
  expect((await apply(opportunity.id, theirs)).body).toMatchObject({ status: 403, code: 'not_owner' });
  const { id: hidden } = await createAthlete(market.other);
  const { id: draft } = await market.post(market.trial());
  const violations = async (opportunityId: string, of: string) => (await apply(opportunityId, of)).body.errors;
  expect(await violations(draft, hidden)).toMatchObject([
    { pointer: '/opportunityId', code: 'unknown_opportunity' },
    { pointer: '/athleteId', code: 'unknown_athlete' },
  ]);
  const { id: unready } = await createAthlete(agent, { dateOfBirth: '1999-01-01' });
  expect(await violations(opportunity.id, unready)).toMatchObject([{ pointer: '/athleteId', code: 'not_active' }]);
  await market.owner.post(`/opportunities/${opportunity.id}/pause`);
  expect(await violations(opportunity.id, (await createAdult(agent)).id)).toMatchObject([
    { pointer: '/opportunityId', code: 'not_open' },
  ]);
  const repeated = { 'idempotency-key': 'apply-once' };
  await market.owner.post(`/opportunities/${opportunity.id}/resume`);
  const input = { opportunityId: opportunity.id, athleteId: (await createAdult(agent)).id };
  const first = await agent.post(path, input, repeated);
  const second = await agent.post(path, input, repeated);
  expect([first.status, second.status, second.body.id]).toEqual([201, 201, first.body.id]);
});

test('both sides list and synchronize an application, each with its own external ids', async () => {
  const opportunity = await createOpportunity();
  const since = new Date().toISOString();
  const { id } = await createApplication(opportunity.id, { externalIds: [{ scheme: 'CRM', value: 'agent-7' }] });
  const { id: draft } = await createApplication(opportunity.id, { status: 'DRAFT' });
  const given = await market.owner.patch(
    `${path}/${id}`,
    { externalIds: [{ scheme: 'CRM', value: 'club-7' }] },
    { 'if-match': '*' },
  );
  expect(given.body.externalIds).toEqual([{ scheme: 'CRM', value: 'club-7' }]);
  const list = async (client: Client, query: string) => idsOf(await client.get(`${path}?${query}`)).toSorted();
  const all = [id, draft].toSorted();
  expect(await list(agent, `opportunityId=${opportunity.id}`)).toEqual(all);
  expect(await list(market.owner, `opportunityId=${opportunity.id}`)).toEqual([id]);
  expect(idsOf(await market.owner.get(`/opportunities/${opportunity.id}/applications?status=SUBMITTED`))).toEqual([id]);
  expect((await market.owner.get('/opportunities/0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11/applications')).status).toBe(404);
  expect(await list(agent, `side=OPPORTUNITY&opportunityId=${opportunity.id}`)).toEqual([]);
  expect(await list(market.owner, 'externalId=CRM:club-7')).toEqual([id]);
  expect(await list(agent, 'externalId=CRM:club-7')).toEqual([]);
  expect(await list(agent, 'externalId=CRM:agent-7')).toEqual([id]);
  expect(await list(agent, `updatedSince=${since}&side=APPLICANT`)).toEqual(all);
  expect((await agent.delete(`${path}/${id}`, { 'if-match': '*' })).body.code).toBe('in_use');
  expect((await agent.delete(`${path}/${draft}`, { 'if-match': '*' })).status).toBe(200);
  expect((await agent.get(`${path}?updatedSince=${since}`)).body.tombstones).toEqual([{ id: draft, deleted: true }]);
  expect((await market.owner.get(`${path}?updatedSince=${since}`)).body.tombstones).toEqual([]);
  expect((await agent.get(`${path}/${id}`)).headers.get('cache-control')).toBe('private, no-store');
});

/** Creates an opportunity with pending offers. The athletes are random ids, because acceptance does not read the athlete. */
async function createOffers(totalOpenings: number, count: number): Promise<{ opportunityId: string; ids: string[] }> {
  const { id: opportunityId } = await market.post({ ...market.trial(), totalOpenings, status: 'PUBLISHED' });
  const { id: anotherId } = await createAdult(agent);
  const rows = await database.query<{ id: string }>(sql`/* test.offers */
    insert into opportunities.application (account_id, opportunity_account_id, opportunity_id, sport, athlete_id, status, submitted_at, offered_at)
    select a.account_id, o.account_id, o.id, o.sport, gen_random_uuid(), 'OFFERED', now(), now()
    from opportunities.opportunity o, athletes.athlete a, generate_series(1, ${count}) where o.id = ${opportunityId} and a.id = ${anotherId} returning id`);
  return { opportunityId, ids: rows.map(({ id }) => id) };
}

async function counted(opportunityId: string) {
  const [row] = await database.query<{ status: string; total: number; remaining: number; filled: number }>(sql`/* test.counted */
    select status, total_openings as total, remaining_openings as remaining, (select count(*)::int from opportunities.application
      where opportunity_id = o.id and status in ('ACCEPTED', 'ENROLLED')) as filled from opportunities.opportunity o where id = ${opportunityId}`);
  if (!row) throw new Error('the opportunity does not exist');
  return row;
}

test('exactly ten of two hundred concurrent acceptances get the ten openings', async () => {
  const { opportunityId, ids } = await createOffers(10, 200);
  /** Repeats what a busy process rejects before it starts. */
  async function accept(id: string): Promise<string> {
    const { status, body, headers } = await agent.post(`${path}/${id}/accept`);
    if (status === 200) return body.status;
    if (body.code !== 'overloaded') return `${status} ${body.code}`;
    await sleep(Number(headers.get('retry-after')) * 1_000);
    return accept(id);
  }
  const codes = await Promise.all(ids.map(accept));
  expect(codes.filter((code) => code === 'ACCEPTED')).toHaveLength(10);
  expect(codes.filter((code) => code === '409 openings_exhausted')).toHaveLength(190);
  expect(await counted(opportunityId)).toEqual({ status: 'FILLED', total: 10, remaining: 0, filled: 10 });
  expect((await market.platform.anonymous.get(`/opportunities/${opportunityId}`)).body).toMatchObject({
    status: 'FILLED',
    remainingOpenings: 0,
  });
  expect(idsOf(await market.platform.anonymous.get('/opportunities?status=FILLED'))).toContain(opportunityId);
});

test('filled and remaining openings add up to the total under concurrent transitions and updates', async () => {
  const place = fc.nat(5);
  const move = fc.oneof(
    { weight: 4, arbitrary: fc.record({ verb: fc.constant('accept'), place }) },
    { weight: 2, arbitrary: fc.record({ verb: fc.constantFrom('withdraw', 'rescind', 'enroll', 'decline'), place }) },
    { weight: 1, arbitrary: fc.record({ verb: fc.constantFrom('openings', 'close', 'cancel'), place }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(move, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 4 }), async (waves) => {
      const { opportunityId, ids } = await createOffers(2, 6);
      const opportunity = `/opportunities/${opportunityId}`;
      const take = ({ verb, place: at }: { verb: string; place: number }) => {
        if (verb === 'openings') return market.owner.patch(opportunity, { totalOpenings: at + 1 }, { 'if-match': '*' });
        if (verb === 'close' || verb === 'cancel') return market.owner.post(`${opportunity}/${verb}`);
        const client = verb === 'rescind' || verb === 'enroll' ? market.owner : agent;
        return client.post(`${path}/${ids[at]}/${verb}`, verb === 'rescind' ? { reasonCode: 'OTHER' } : undefined);
      };
      for (const wave of waves) {
        const responses = await Promise.all(wave.map(take));
        for (const { status, body } of responses) expect([200, 409, 422, body]).toContain(status);
        const { status, total, remaining, filled } = await counted(opportunityId);
        expect(remaining).toBeGreaterThanOrEqual(0);
        expect(filled + remaining).toBe(total);
        if (status !== 'CANCELLED') expect(status === 'FILLED').toBe(remaining === 0);
      }
    }),
    { numRuns: 8 },
  );
});

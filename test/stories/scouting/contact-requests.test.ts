/** Contact requests: sending, answering, visibility and the consent of guardians. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, idsOf } from '../organizations/clubs.ts';
import { consent, createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { createAthlete } from '../athletes/people.ts';
import { addEntry, sendContactRequest, createContactRequest, createShortlist, move } from './scouts.ts';

let platform: TestPlatform;
let database: pg.Client;
let agent: Client & { readonly organizationId: string };
let scout: Client;
let third: Client;
const unknown = '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11';
const path = '/scouting/contact-requests';
beforeAll(async () => {
  platform = await openTestPlatform();
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  agent = await verifiedAccount(platform, moderator, 'Agent', { officer: true });
  [scout, third] = await Promise.all([platform.account({ account: 'Scout' }), platform.account({ account: 'Third' })]);
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const idOf = (request: string): string => request.split('/').at(-1) ?? '';

/** Makes a request expire. */
const expire = (request: string) =>
  database.query("update scouting.contact_request set expires_at = now() - interval '1 second' where id = $1", [idOf(request)]);

/** The actions in the history of a request and its events, which contain ids only. */
async function recordsOf(request: string): Promise<unknown> {
  const id = idOf(request);
  const history = await database.query(
    "select action, actor ->> 'kind' as by from scouting.history where resource_id = $1 order by id",
    [id],
  );
  const events = await database.query('select type, data from scouting.outbox where resource_id = $1 order by id', [id]);
  for (const { data } of events.rows) expect(Object.keys(data).sort()).toEqual(['athleteId', 'ownerAccountId']);
  return { history: history.rows.map(({ action, by }) => `${by} ${action}`), events: events.rows.map(({ type }) => type) };
}

test('the sender sends a request, the owner answers it, both can read it, and it is logged', async () => {
  const { id: organizationId } = await createClub(scout, { name: 'SC Asks' });
  const { id: athleteId } = await createAdult(agent);
  const yes = await createContactRequest(scout, athleteId, { organizationId });
  expect((await agent.get(yes)).body).toMatchObject({ organization: { name: 'SC Asks' }, message: 'May we meet?', answer: null });
  expect((await scout.get(yes)).headers.get('cache-control')).toBe('private, no-store');
  for (const verb of ['accept', 'decline']) {
    expect((await scout.post(`${yes}/${verb}`)).body).toMatchObject({ status: 403, code: 'not_owner' });
    expect((await third.post(`${yes}/${verb}`)).body).toMatchObject({ status: 404, code: 'not_found' });
  }
  const key = { 'idempotency-key': 'yes' };
  const accepted = await agent.post(`${yes}/accept`, { answer: 'Call 555' }, key);
  expect(accepted).toMatchObject({ status: 200, body: { status: 'ACCEPTED', version: 2 } });
  expect((await agent.post(`${yes}/accept`, { answer: 'Call 555' }, key)).body).toEqual(accepted.body);
  expect((await scout.get(yes)).body).toMatchObject({ status: 'ACCEPTED', answer: 'Call 555', answeredAt: expect.any(String) });
  expect((await agent.post(`${yes}/decline`)).body).toMatchObject({ code: 'invalid_transition', allowedTransitions: [] });
  expect(await recordsOf(yes)).toEqual({
    history: ['KEY created', 'KEY accept'],
    events: ['contact_request.created', 'contact_request.status_changed'],
  });
  const no = await createContactRequest(third, athleteId);
  expect((await agent.post(`${no}/decline`, { answer: 'No' })).body).toMatchObject({ status: 'DECLINED', answer: 'No' });
  const ids = [no, yes].map(idOf);
  expect(idsOf(await agent.get(`${path}?side=OWNER`))).toEqual(ids);
  expect(idsOf(await agent.get(`${path}?side=SENDER`))).toEqual([]);
  expect(idsOf(await agent.get(`${path}?status=DECLINED`))).toEqual(ids.slice(0, 1));
  expect(idsOf(await third.get(path))).toEqual(ids.slice(0, 1));
  const graph = 'query ($id: ID!) { contactRequest(id: $id) { message } contactRequests { nodes { message } } }';
  const notVisible = { contactRequest: null, contactRequests: { nodes: [{ message: 'May we meet?' }] } };
  expect((await third.graphql(graph, { id: idOf(yes) })).body.data).toEqual(notVisible);
  expect((await third.get(yes)).status).toBe(404);
  const exported = 'query ($id: ID!) { athleteExport(athleteId: $id) { shortlists contactRequests { nodes { id } } } }';
  expect((await third.graphql(exported, { id: athleteId })).body.data).toEqual({ athleteExport: null });
  const reads = await platform.account({ account: 'Scout', scopes: ['scouting:read'] });
  expect((await reads.get(yes)).status).toBe(200);
  expect((await sendContactRequest(reads, athleteId)).body.code).toBe('insufficient_scope');
});

test('each side finds the requests for an athlete, and no other account does', async () => {
  const [{ id: athleteId }, { id: other }] = [await createAdult(agent), await createAdult(agent)];
  const request = idOf(await createContactRequest(scout, athleteId));
  await createContactRequest(scout, other);
  for (const side of [scout, agent]) expect(idsOf(await side.get(`${path}?athleteId=${athleteId}`))).toEqual([request]);
  expect(idsOf(await scout.get(`${path}?side=SENDER&athleteId=${athleteId}`))).toEqual([request]);
  expect(idsOf(await scout.get(`${path}?side=OWNER&athleteId=${athleteId}`))).toEqual([]);
  expect(idsOf(await third.get(`${path}?athleteId=${athleteId}`))).toEqual([]);
});

test('a request for a minor requires CONTACT consent when it is sent and when it is accepted', async () => {
  const athleteId = await createMinor(agent, ['PROFILE']);
  const rejected = { status: 409, code: 'consent_required', missingScopes: ['CONTACT'] };
  expect((await sendContactRequest(scout, athleteId)).body).toMatchObject(rejected);
  const given = await consent(agent, athleteId, ['CONTACT']);
  const request = await createContactRequest(scout, athleteId);
  const entry = await addEntry(scout, await createShortlist(scout), athleteId);
  await move(scout, entry, 'WATCHLIST', 'SCOUTED', 'SHORTLISTED', 'CONTACTED', 'ON_HOLD');
  expect((await agent.post(`/athletes/${athleteId}/consents/${given}/withdraw`, {})).status).toBe(200);
  expect((await agent.post(`${request}/accept`)).body).toMatchObject(rejected);
  expect((await scout.post(`${entry}/move`, { stage: 'CONTACTED' })).body).toMatchObject(rejected);
  await consent(agent, athleteId, ['CONTACT']);
  expect((await agent.post(`${request}/accept`)).body).toMatchObject({
    status: 'ACCEPTED',
    athlete: { displayName: 'Juno Dale' },
  });
  expect((await scout.get(request)).body.athlete.displayName).toBe('J. D.');
});

test('unknown and hidden athletes get the same response; own athletes and invalid organizations are rejected', async () => {
  const hidden = [await createMinor(agent, ['CONTACT']), (await createAthlete(agent)).id];
  const responseFor = async (athleteId: string) => {
    const { status, body } = await sendContactRequest(scout, athleteId);
    const { requestId: _, ...rest } = body;
    return { status, rest };
  };
  const expected = await responseFor(unknown);
  expect(expected).toMatchObject({ status: 422, rest: { errors: [{ pointer: '/athleteId', code: 'unknown_athlete' }] } });
  for (const athleteId of hidden) expect(await responseFor(athleteId)).toEqual(expected);
  const { id: athleteId } = await createAdult(agent);
  expect((await sendContactRequest(agent, athleteId)).body.errors).toMatchObject([
    { pointer: '/athleteId', code: 'own_athlete' },
  ]);
  const draft = (await createClub(scout, { status: 'DRAFT' })).id;
  for (const [organizationId, code] of [
    [agent.organizationId, 'unknown_organization'],
    [unknown, 'unknown_organization'],
    [draft, 'not_active'],
  ])
    expect((await sendContactRequest(scout, athleteId, { organizationId })).body.errors).toMatchObject([
      { pointer: '/organizationId', code },
    ]);
});

test('concurrent and repeated requests are rejected while one is pending, and for 90 days after it was declined', async () => {
  const { id: athleteId } = await createAdult(agent);
  const responses = await Promise.all([1, 2, 3, 4].map(() => sendContactRequest(scout, athleteId)));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  const { id } = responses.find(({ status }) => status === 201)?.body ?? {};
  const repeated = { status: 409, code: 'conflict', existingId: id };
  expect((await sendContactRequest(scout, athleteId)).body).toMatchObject(repeated);
  expect((await agent.post(`${path}/${id}/decline`)).status).toBe(200);
  expect((await sendContactRequest(scout, athleteId)).body).toMatchObject(repeated);
  await database.query("update scouting.contact_request set answered_at = now() - interval '91 days' where id = $1", [id]);
  await createContactRequest(scout, athleteId);
});

test('a request expires on time, maintenance stores it, and another request can be sent', async () => {
  const { id: athleteId } = await createAdult(agent);
  const first = await createContactRequest(scout, athleteId);
  await expire(first);
  expect((await agent.get(first)).body.status).toBe('EXPIRED');
  expect(idsOf(await scout.get(`${path}?status=EXPIRED`))).toEqual([idOf(first)]);
  expect((await agent.post(`${first}/accept`)).body).toMatchObject({ code: 'invalid_transition', state: 'EXPIRED' });
  const entry = await addEntry(scout, await createShortlist(scout), athleteId);
  await move(scout, entry, 'WATCHLIST', 'SCOUTED', 'SHORTLISTED');
  expect((await scout.post(`${entry}/move`, { stage: 'CONTACTED' })).body.code).toBe('invalid_transition');
  const second = await createContactRequest(scout, athleteId);
  const steps = { events: ['contact_request.created', 'contact_request.status_changed'] };
  expect(await recordsOf(first)).toEqual({ history: ['KEY created', 'KEY expire'], ...steps });
  await expire(second);
  await platform.settled();
  await platform.maintain();
  expect(await recordsOf(second)).toEqual({ history: ['KEY created', 'SYSTEM expire'], ...steps });
});

test('data written during the erasure of an athlete is deleted by the next maintenance', async () => {
  const { id: athleteId } = await createAdult(agent);
  const [list, removed] = [await createShortlist(scout), await addEntry(scout, await createShortlist(scout), athleteId)];
  expect((await agent.post(`/athletes/${athleteId}/erase`)).status).toBe(200);
  await platform.settled();
  expect((await scout.get(removed)).status).toBe(404);
  // As if the write had started before the erasure.
  await database.query(
    `insert into scouting.shortlist_entry (account_id, shortlist_id, athlete_id, named_id, notes)
     select account_id, id, $1, $1, 'Late' from scouting.shortlist where id = $2`,
    [athleteId, idOf(list)],
  );
  expect((await scout.get(`${list}/entries`)).body.data).toMatchObject([{ notes: 'Late', athlete: null }]);
  await platform.maintain();
  expect((await scout.get(`${list}/entries`)).body.data).toEqual([]);
});

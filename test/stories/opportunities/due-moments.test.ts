/** What is over at a moment is over from that moment on every door, before anything is written down; the timer then writes it down once, and tells of it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { openPrivateData, type PrivateData } from '../privacy/private-data.ts';
import { addEntry, ask, createShortlist, move } from '../scouting/scouts.ts';

let platform: PrivateData;
let application: string;
let opportunity: string;
let request: string;
beforeAll(async () => {
  platform = await openPrivateData();
  application = `/opportunities/applications/${platform.ids.application}`;
  opportunity = `/opportunities/${platform.ids.opportunity}`;
  request = `/scouting/contact-requests/${platform.ids.request}`;
});
afterAll(() => platform.close());

/** Lets a moment of a row be a second ago. */
async function pass(table: string, column: string, id: string): Promise<void> {
  const { rowCount } = await platform.rows.query(`update ${table} set ${column} = now() - interval '1 second' where id = $1`, [
    id,
  ]);
  expect(rowCount).toBe(1);
}

/** Versions of the row as its history and its events tell them. */
async function told(area: string, id: string): Promise<{ history: string[]; events: number }> {
  const history = await platform.rows.query<{ step: string }>(
    `select action || ' by ' || (actor ->> 'kind') as step from ${area}.history where resource_id = $1 order by id`,
    [id],
  );
  const events = await platform.rows.query(`select from ${area}.outbox where resource_id = $1`, [id]);
  return { history: history.rows.map(({ step }) => step), events: events.rowCount ?? 0 };
}

/** The timer has its turn, twice: what it wrote down it does not write again. Returns what was told meanwhile. */
async function written(area: string, id: string): Promise<string[]> {
  const before = await told(area, id);
  await platform.platform.upkeep();
  await platform.platform.upkeep();
  const after = await told(area, id);
  const steps = after.history.slice(before.history.length);
  expect(after.events - before.events).toBe(steps.length);
  return steps;
}

test('an offer', async () => {
  const { agent, owner, ids } = platform;
  expect((await agent.patch(`/athletes/${ids.athlete}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })).status).toBe(200);
  expect((await owner.get(application)).body).toMatchObject({ status: 'OFFERED', athlete: { id: ids.athlete } });
  const before = (await owner.get(opportunity)).body.remainingOpenings;
  await pass('opportunities.application', 'offer_expires_at', ids.application);
  const { body } = await agent.get(application);
  const version: number = body.version;
  expect(body).toMatchObject({ status: 'EXPIRED', history: [{ action: 'offer' }, {}, {}] });
  // it lives no more: who was shown by applying is not shown
  expect((await owner.get(application)).body).toMatchObject({ status: 'EXPIRED', athlete: null });
  for (const [status, found] of [
    ['OFFERED', []],
    ['EXPIRED', [ids.application]],
    ['OFFERED,EXPIRED', [ids.application]],
  ] as const)
    for (const path of [`/opportunities/applications?status=${status}`, `${opportunity}/applications?status=${status}`])
      expect({ path, ids: idsOf(await owner.get(path)) }).toEqual({ path, ids: found });
  const nested = `query ($application: ID!, $opportunity: ID!, $athlete: ID!) { application(id: $application) { status }
    opportunity(id: $opportunity) { applications { nodes { id status } } } athleteExport(athleteId: $athlete) { applications { nodes { status } } } }`;
  expect((await agent.graphql(nested, ids)).body.data).toMatchObject({
    application: { status: 'EXPIRED' },
    opportunity: { applications: { nodes: expect.arrayContaining([{ id: ids.application, status: 'EXPIRED' }]) } },
    athleteExport: { applications: { nodes: [{ status: 'EXPIRED' }] } },
  });
  const refused = { status: 409, code: 'invalid_transition', state: 'EXPIRED', allowedTransitions: [] };
  for (const verb of ['accept', 'decline', 'withdraw'])
    expect({ verb, body: (await agent.post(`${application}/${verb}`)).body }).toMatchObject({ verb, body: refused });
  for (const verb of ['offer', 'review', 'invite', 'enroll'])
    expect({ verb, body: (await owner.post(`${application}/${verb}`)).body }).toMatchObject({ verb, body: refused });
  expect((await owner.post(`${application}/rescind`, { reasonCode: 'OTHER' })).body).toMatchObject(refused);
  expect((await owner.get(opportunity)).body.remainingOpenings).toBe(before);
  expect((await agent.get(application)).body.version).toBe(version);
  expect(await written('opportunities', ids.application)).toEqual(['expire by SYSTEM']);
  expect((await owner.get(application)).body).toMatchObject({ status: 'EXPIRED', version: version + 1 });
  expect((await owner.get(application)).body.history[0]).toMatchObject({ action: 'expire', by: 'TIMER' });
});

test('a contact request', async () => {
  const { agent, scout, ids } = platform;
  const { id: athleteId } = await createAdult(agent);
  const entry = await addEntry(scout, await createShortlist(scout), athleteId);
  await move(scout, entry, 'WATCHLIST', 'SCOUTED', 'SHORTLISTED');
  const { body: sent } = await ask(scout, athleteId);
  await pass('scouting.contact_request', 'expires_at', sent.id);
  const path = `/scouting/contact-requests/${sent.id}`;
  for (const side of [agent, scout]) {
    expect((await side.get(path)).body).toMatchObject({ status: 'EXPIRED', version: 1 });
    expect(idsOf(await side.get('/scouting/contact-requests?status=EXPIRED'))).toEqual([sent.id]);
    expect(idsOf(await side.get('/scouting/contact-requests?status=SENT'))).toEqual([ids.request]);
  }
  const nested = `query ($id: ID!, $athlete: ID!) { contactRequest(id: $id) { status } athleteExport(athleteId: $athlete) { contactRequests { nodes { status } } } }`;
  expect((await agent.graphql(nested, { id: sent.id, athlete: athleteId })).body.data).toEqual({
    contactRequest: { status: 'EXPIRED' },
    athleteExport: { contactRequests: { nodes: [{ status: 'EXPIRED' }] } },
  });
  for (const verb of ['accept', 'decline'])
    expect((await agent.post(`${path}/${verb}`)).body).toMatchObject({ code: 'invalid_transition', state: 'EXPIRED' });
  expect((await scout.post(`${entry}/move`, { stage: 'CONTACTED' })).body.code).toBe('invalid_transition');
  expect(await written('scouting', sent.id)).toEqual(['expire by SYSTEM']);
  expect((await scout.get(request)).body.status).toBe('SENT');
});

test('a deadline', async () => {
  const { agent, owner, ids } = platform;
  const { id: athleteId } = await createAdult(agent);
  await pass('opportunities.opportunity', 'application_deadline', ids.opportunity);
  const { anonymous } = platform.platform;
  const nested = `query ($opportunity: ID!, $organization: ID!) { opportunity(id: $opportunity) { status }
    organization(id: $organization) { opportunities { nodes { status } } } application(id: "${ids.application}") { opportunity { status } } }`;
  const { data } = (await owner.graphql(nested, ids)).body;
  expect(data).toMatchObject({ opportunity: { status: 'CLOSED' }, application: { opportunity: { status: 'CLOSED' } } });
  expect(data.organization.opportunities.nodes).toEqual([]);
  expect((await anonymous.get(opportunity)).body).toMatchObject({ status: 'CLOSED', version: 1 });
  expect(idsOf(await anonymous.get('/opportunities'))).toEqual([]);
  expect(idsOf(await anonymous.get('/opportunities?status=CLOSED'))).toEqual([ids.opportunity]);
  const closed = { errors: [{ pointer: '/opportunityId', code: 'not_open' }] };
  const apply = { opportunityId: ids.opportunity, athleteId, status: 'SUBMITTED' };
  expect((await agent.post('/opportunities/applications', apply)).body).toMatchObject(closed);
  expect((await agent.post(`/opportunities/applications/${platform.draft}/submit`)).body).toMatchObject(closed);
  const matches = await anonymous.get(`/scouting/opportunity-matches?athleteId=${athleteId}&opportunityId=${ids.opportunity}`);
  expect(matches.body.data).toEqual([]);
  for (const verb of ['publish', 'pause', 'resume', 'close'])
    expect((await owner.post(`${opportunity}/${verb}`)).body).toMatchObject({ code: 'invalid_transition', state: 'CLOSED' });
  expect(await written('opportunities', ids.opportunity)).toEqual(['close by SYSTEM']);
  expect((await anonymous.get(opportunity)).body).toMatchObject({ status: 'CLOSED', version: 2 });
});

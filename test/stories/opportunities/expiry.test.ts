/** Expiry takes effect on time in every API, before it is stored. The timer then stores it once and publishes an event. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { openPrivateData, type PrivateData } from '../privacy/private-data.ts';
import { addEntry, sendContactRequest, createShortlist, move } from '../scouting/scouts.ts';

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

/** Sets a timestamp of a row to one second ago. */
async function setPast(table: string, column: string, id: string): Promise<void> {
  const { rowCount } = await platform.rows.query(`update ${table} set ${column} = now() - interval '1 second' where id = $1`, [
    id,
  ]);
  expect(rowCount).toBe(1);
}

/** The history and the number of events of a row. */
async function recordsOf(area: string, id: string): Promise<{ history: string[]; events: number }> {
  const history = await platform.rows.query<{ step: string }>(
    `select action || ' by ' || (actor ->> 'kind') as step from ${area}.history where resource_id = $1 order by id`,
    [id],
  );
  const events = await platform.rows.query(`select from ${area}.outbox where resource_id = $1`, [id]);
  return { history: history.rows.map(({ step }) => step), events: events.rowCount ?? 0 };
}

/** Runs maintenance twice, because it must store a change once only. Returns the new history entries. */
async function runMaintenance(area: string, id: string): Promise<string[]> {
  const before = await recordsOf(area, id);
  await platform.platform.maintain();
  await platform.platform.maintain();
  const after = await recordsOf(area, id);
  const steps = after.history.slice(before.history.length);
  expect(after.events - before.events).toBe(steps.length);
  return steps;
}

test('an offer expires on time', async () => {
  const { agent, owner, ids } = platform;
  expect((await agent.patch(`/athletes/${ids.athlete}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })).status).toBe(200);
  expect((await owner.get(application)).body).toMatchObject({ status: 'OFFERED', athlete: { id: ids.athlete } });
  const before = (await owner.get(opportunity)).body.remainingOpenings;
  await setPast('opportunities.application', 'offer_expires_at', ids.application);
  const { body } = await agent.get(application);
  const version: number = body.version;
  expect(body).toMatchObject({ status: 'EXPIRED', history: [{ action: 'offer' }, {}, {}] });
  // The application is no longer active, so the private profile is hidden.
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
  const rejected = { status: 409, code: 'invalid_transition', state: 'EXPIRED', allowedTransitions: [] };
  for (const verb of ['accept', 'decline', 'withdraw'])
    expect({ verb, body: (await agent.post(`${application}/${verb}`)).body }).toMatchObject({ verb, body: rejected });
  for (const verb of ['offer', 'review', 'invite', 'enroll'])
    expect({ verb, body: (await owner.post(`${application}/${verb}`)).body }).toMatchObject({ verb, body: rejected });
  expect((await owner.post(`${application}/rescind`, { reasonCode: 'OTHER' })).body).toMatchObject(rejected);
  expect((await owner.get(opportunity)).body.remainingOpenings).toBe(before);
  expect((await agent.get(application)).body.version).toBe(version);
  expect(await runMaintenance('opportunities', ids.application)).toEqual(['expire by SYSTEM']);
  expect((await owner.get(application)).body).toMatchObject({ status: 'EXPIRED', version: version + 1 });
  expect((await owner.get(application)).body.history[0]).toMatchObject({ action: 'expire', by: 'TIMER' });
});

test('a contact request expires on time', async () => {
  const { agent, scout, ids } = platform;
  const { id: athleteId } = await createAdult(agent);
  const entry = await addEntry(scout, await createShortlist(scout), athleteId);
  await move(scout, entry, 'WATCHLIST', 'SCOUTED', 'SHORTLISTED');
  const { body: sent } = await sendContactRequest(scout, athleteId);
  await setPast('scouting.contact_request', 'expires_at', sent.id);
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
  expect(await runMaintenance('scouting', sent.id)).toEqual(['expire by SYSTEM']);
  expect((await scout.get(request)).body.status).toBe('SENT');
});

test('a deadline closes an opportunity on time', async () => {
  const { agent, owner, ids } = platform;
  const { id: athleteId } = await createAdult(agent);
  await setPast('opportunities.opportunity', 'application_deadline', ids.opportunity);
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
  expect(await runMaintenance('opportunities', ids.opportunity)).toEqual(['close by SYSTEM']);
  expect((await anonymous.get(opportunity)).body).toMatchObject({ status: 'CLOSED', version: 2 });
});

/** Shortlists with entries and reports, and their behavior when athletes are hidden or merged. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { createAthlete } from '../athletes/people.ts';
import { addEntry, anyVersion, createContactRequest, createShortlist, move, report } from './scouts.ts';

let platform: TestPlatform;
let moderator: Client;
let agent: Client & { readonly organizationId: string };
let scout: Client;
let third: Client;
const unknown = '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11';
beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  agent = await verifiedAccount(platform, moderator, 'Agent', { officer: true });
  [scout, third] = await Promise.all([platform.account({ account: 'Scout' }), platform.account({ account: 'Third' })]);
});
afterAll(() => platform.close());

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

test('a shortlist can be created, updated, found, synchronized and deleted with its entries', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const path = await createShortlist(scout, { description: 'Summer', externalIds: [{ scheme: 'CRM', value: 'L-1' }] });
  const id = idOf(path);
  const { body, headers } = await scout.get(path);
  expect(body).toMatchObject({ id, version: 1, name: 'Left backs', description: 'Summer' });
  expect((await scout.patch(path, { name: 'Backs' })).status).toBe(428);
  const patched = await scout.patch(path, { name: 'Backs', description: null }, { 'if-match': headers.get('etag') ?? '' });
  expect(patched.body).toMatchObject({ version: 2, name: 'Backs', description: null, externalIds: [{ value: 'L-1' }] });
  expect((await scout.patch(path, { name: 'B' }, { 'if-match': '"1"' })).status).toBe(412);
  expect((await scout.patch(path, { name: null }, anyVersion)).body).toMatchObject({ code: 'validation_failed' });
  expect(idsOf(await scout.get('/scouting/shortlists?externalId=CRM:L-1'))).toEqual([id]);
  const entry = await addEntry(scout, path, (await createAdult(agent)).id);
  expect((await scout.post(`${entry}/reports`, report())).status).toBe(201);
  expect(await scout.delete(path, anyVersion)).toMatchObject({ status: 200, body: { id, deleted: true } });
  for (const deleted of [path, `${path}/entries`, entry, `${entry}/reports`]) expect((await scout.get(deleted)).status).toBe(404);
  const changes = (await scout.get(`/scouting/shortlists?updatedSince=${since}`)).body;
  expect(changes.tombstones).toContainEqual({ id, deleted: true });
  expect((await third.get(`/scouting/shortlists?updatedSince=${since}`)).body).toMatchObject({ data: [], tombstones: [] });
});

test('an athlete is on a shortlist once, entries can be updated, and a removed athlete can be added again', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const list = await createShortlist(scout);
  const { id: athleteId } = await createAdult(agent, { displayName: 'Ada Quillon' });
  const entry = await addEntry(scout, list, athleteId, { notes: 'Fast', externalIds: [{ scheme: 'CRM', value: 'E-1' }] });
  const id = idOf(entry);
  expect((await scout.get(entry)).body).toMatchObject({
    athlete: { displayName: 'Ada Quillon' },
    priority: 'MEDIUM',
    notes: 'Fast',
  });
  expect((await scout.get(entry)).headers.get('cache-control')).toBe('private, no-store');
  const repeated = await scout.post(`${list}/entries`, { athleteId });
  expect(repeated.body).toMatchObject({ status: 409, code: 'conflict', existingId: id });
  const both = await createShortlist(scout);
  const responses = await Promise.all([1, 2, 3].map(() => scout.post(`${both}/entries`, { athleteId })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const patched = await scout.patch(entry, { priority: 'HIGH', notes: null }, { 'if-match': '1' });
  expect(patched.body).toMatchObject({ version: 2, priority: 'HIGH', notes: null });
  expect((await scout.patch(entry, { stage: 'SIGNED' }, anyVersion)).status).toBe(422);
  for (const found of ['stage=IDENTIFIED,LOST&priority=HIGH', 'externalId=CRM:E-1', `updatedSince=${since}`])
    expect(idsOf(await scout.get(`${list}/entries?${found}`))).toEqual([id]);
  expect(idsOf(await scout.get(`${list}/entries?stage=LOST`))).toEqual([]);
  expect((await scout.get(`${both}/entries/${id}`)).status).toBe(404);
  expect((await scout.post(`${both}/entries/${id}/move`, { stage: 'LOST' })).status).toBe(404);
  expect((await scout.delete(entry, anyVersion)).body).toEqual({ id, deleted: true });
  expect((await scout.get(`${list}/entries?updatedSince=${since}`)).body.tombstones).toEqual([{ id, deleted: true }]);
  await addEntry(scout, list, athleteId);
});

test('a batch creates or updates entries by external id, and an invalid item fails alone', async () => {
  const [list, other] = [await createShortlist(scout), await createShortlist(scout)];
  const adults = [await createAdult(agent), await createAdult(agent), await createAdult(agent)].map(({ id }) => id);
  const hidden = (await createAdult(agent, { visibility: 'PRIVATE' })).id;
  const item = (athleteId: string | undefined, value: string, more: object = {}) => ({
    athleteId,
    externalIds: [{ scheme: 'BATCH', value }],
    ...more,
  });
  const batch = async (path: string, ...items: object[]) => (await scout.post(`${path}/entries/batch`, { items })).body;
  const outcomes = (body: Awaited<ReturnType<typeof batch>>) =>
    body.data.map(({ outcome, error }: { outcome: string; error: { code: string; errors: { code: string }[] | null } | null }) =>
      error ? (error.errors?.[0]?.code ?? error.code) : outcome,
    );
  const items = [item(adults[0], 'b-1', { notes: 'Fast', priority: 'HIGH' }), item(adults[1], 'b-2'), item(hidden, 'b-3')];
  const first = await batch(list, ...items, item(unknown, 'b-4'), { athleteId: adults[2] });
  expect(outcomes(first)).toEqual(['CREATED', 'CREATED', 'unknown_athlete', 'unknown_athlete', 'required']);
  expect(first.summary).toEqual({ created: 2, updated: 0, unchanged: 0, failed: 3 });
  const entry = `${list}/entries/${first.data[0].id}`;
  await move(scout, entry, 'WATCHLIST');
  const repeated = await batch(
    list,
    item(adults[0], 'b-1', { notes: 'Strong' }),
    items[1] ?? {},
    item(adults[2], 'b-2'),
    item(adults[0], 'b-5'),
  );
  expect(outcomes(repeated)).toEqual(['UPDATED', 'UNCHANGED', 'immutable', 'conflict']);
  expect(repeated.data[3].error.existingId).toBe(first.data[0].id);
  expect((await scout.get(entry)).body).toMatchObject({ stage: 'WATCHLIST', priority: 'HIGH', notes: 'Strong', version: 3 });
  const otherBatch = await batch(other, item(adults[0], 'b-1'), item(adults[0], 'b-6'));
  expect(outcomes(otherBatch)).toEqual(['conflict', 'CREATED']);
  expect(idsOf(await scout.get(`${list}/entries`))).toHaveLength(2);
  // The entry of a hidden athlete can still be updated.
  expect((await agent.patch(`/athletes/${adults[1]}`, { visibility: 'PRIVATE' }, anyVersion)).status).toBe(200);
  expect(outcomes(await batch(list, item(adults[1], 'b-2', { notes: 'Gone' })))).toEqual(['UPDATED']);
  expect((await scout.post(`/scouting/shortlists/${unknown}/entries/batch`, { items })).status).toBe(404);
  const key = { 'idempotency-key': 'import' };
  const once = await scout.post(`${other}/entries/batch`, { items: [item(adults[2], 'b-7')] }, key);
  expect((await scout.post(`${other}/entries/batch`, { items: [item(adults[2], 'b-7')] }, key)).body).toEqual(once.body);
  expect(once.body.summary.created).toBe(1);
});

test('unknown and hidden athletes get the same response and are not added', async () => {
  const list = await createShortlist(scout);
  const hidden = [
    await createMinor(agent, []),
    (await createAdult(agent, { visibility: 'PRIVATE' })).id,
    (await createAthlete(agent)).id,
  ];
  const responseFor = async (athleteId: string) => {
    const { status, body } = await scout.post(`${list}/entries`, { athleteId });
    const { requestId: _, ...rest } = body;
    return { status, rest };
  };
  const expected = await responseFor(unknown);
  expect(expected).toMatchObject({ status: 422, rest: { errors: [{ pointer: '/athleteId', code: 'unknown_athlete' }] } });
  for (const athleteId of hidden) expect(await responseFor(athleteId)).toEqual(expected);
  expect((await scout.get(`${list}/entries`)).body.data).toEqual([]);
  // The owner can read its athletes in any status. A minor with consent is public in part.
  for (const athleteId of hidden) await addEntry(agent, await createShortlist(agent), athleteId);
  const restricted = await addEntry(scout, list, await createMinor(agent, ['PROFILE']));
  expect((await scout.get(restricted)).body.athlete.displayName).toBe('J. D.');
});

test('for a hidden athlete the id and the notes stay, and no more data can be collected', async () => {
  const list = await createShortlist(scout);
  const { id: athleteId } = await createAdult(agent, { displayName: 'Zora Wolkenstein' });
  const entry = await addEntry(scout, list, athleteId, { notes: 'Strong left foot' });
  await createContactRequest(scout, athleteId);
  await move(scout, entry, 'WATCHLIST', 'SCOUTED', 'SHORTLISTED');
  expect((await agent.post(`/athletes/${athleteId}/deactivate`)).status).toBe(200);
  const { body } = await scout.get(entry);
  expect(body).toMatchObject({ athleteId, athlete: null, notes: 'Strong left foot', stage: 'SHORTLISTED' });
  expect(JSON.stringify((await scout.get(`${list}/entries`)).body)).not.toContain('Wolkenstein');
  for (const attempt of [
    scout.post(`${entry}/reports`, report()),
    scout.post(`${entry}/move`, { stage: 'CONTACTED' }),
    scout.post(`${list}/entries`, { athleteId: unknown }),
  ])
    expect([409, 422]).toContain((await attempt).status);
  expect((await scout.patch(entry, { notes: 'Gone' }, anyVersion)).body).toMatchObject({ notes: 'Gone', athlete: null });
  await move(scout, entry, 'LOST');
});

test('stages follow the transition table, and CONTACTED requires a pending or accepted contact request', async () => {
  const list = await createShortlist(scout);
  const { id: athleteId } = await createAdult(agent);
  const entry = await addEntry(scout, list, athleteId);
  const skipped = await scout.post(`${entry}/move`, { stage: 'SCOUTED' });
  expect(skipped.body).toMatchObject({
    status: 409,
    code: 'invalid_transition',
    state: 'IDENTIFIED',
    allowedTransitions: ['WATCHLIST', 'REJECTED', 'ON_HOLD', 'LOST'],
  });
  await move(scout, entry, 'ON_HOLD', 'WATCHLIST', 'SCOUTED', 'SHORTLISTED');
  const early = await scout.post(`${entry}/move`, { stage: 'CONTACTED' });
  expect(early.body).toMatchObject({ code: 'invalid_transition', allowedTransitions: ['REJECTED', 'ON_HOLD', 'LOST'] });
  const request = await createContactRequest(scout, athleteId);
  expect((await agent.post(`${request}/decline`)).status).toBe(200);
  expect((await scout.post(`${entry}/move`, { stage: 'CONTACTED' })).status).toBe(409);
  const key = { 'idempotency-key': 'hold' };
  expect((await scout.post(`${entry}/move`, { stage: 'ON_HOLD' }, key)).body.stage).toBe('ON_HOLD');
  expect((await scout.post(`${entry}/move`, { stage: 'ON_HOLD' }, key)).headers.get('idempotent-replayed')).toBe('true');
  // An account needs no contact request for its own athletes.
  const own = await addEntry(agent, await createShortlist(agent), athleteId);
  await move(agent, own, 'WATCHLIST', 'SCOUTED', 'SHORTLISTED', 'CONTACTED', 'SIGNED');
});

test('reports can be added but not changed, and are listed with their entry', async () => {
  const list = await createShortlist(scout);
  const entry = await addEntry(scout, list, (await createAdult(agent)).id);
  const first = await scout.post(`${entry}/reports`, report());
  expect(first).toMatchObject({ status: 201, body: { version: 1, match: null, ratings: { mental: 9 } } });
  const location = first.headers.get('location') ?? '';
  expect((await scout.get(location)).body).toEqual(first.body);
  expect((await scout.send(location, { method: 'PATCH' })).status).toBe(405);
  const later = await scout.post(`${entry}/reports`, report({ date: '2026-04-01', recommendation: 'SIGN' }));
  expect(idsOf(await scout.get(`${entry}/reports`))).toEqual([later.body.id, first.body.id]);
  for (const [more, pointer] of [
    [{ date: '2999-01-01' }, '/date'],
    [{ matchId: unknown }, '/matchId'],
    [{ ratings: { technical: 11, tactical: 1, physical: 1, mental: 1 } }, '/ratings/technical'],
  ] as const)
    expect((await scout.post(`${entry}/reports`, report(more))).body.errors).toMatchObject([{ pointer }]);
  const nested = `query ($id: ID!) { shortlist(id: $id) { entries { nodes { reports(first: 1) { nodes { recommendation } pageInfo { hasMore } } } } } }`;
  expect((await scout.graphql(nested, { id: idOf(list) })).body.data.shortlist.entries.nodes).toEqual([
    { reports: { nodes: [{ recommendation: 'SIGN' }], pageInfo: { hasMore: true } } },
  ]);
});

test('scopes limit a key to reads or writes', async () => {
  const entry = await addEntry(scout, await createShortlist(scout), (await createAdult(agent)).id, { notes: 'Secret' });
  const [reads, writes] = [
    await platform.account({ account: 'Scout', scopes: ['scouting:read'] }),
    await platform.account({ account: 'Scout', scopes: ['scouting:write'] }),
  ];
  expect((await reads.get(entry)).body.notes).toBe('Secret');
  expect((await reads.post(`${entry}/move`, { stage: 'LOST' })).body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect((await writes.get(entry)).body).toMatchObject({ status: 403, code: 'insufficient_scope' });
});

test('a merge joins entries with their notes and reports, and moves contact requests to the remaining owner', async () => {
  const other = await platform.account({ account: 'Other agent' });
  const [{ id: second }, { id: first }] = [await createAdult(other), await createAdult(agent, { displayName: 'First' })];
  const [both, alone] = [await createShortlist(scout), await createShortlist(scout)];
  const remaining = await addEntry(scout, both, first, { notes: 'One' });
  const duplicate = await addEntry(scout, both, second, { notes: 'Two' });
  const moved = await addEntry(scout, alone, second);
  for (const entry of [duplicate, moved]) expect((await scout.post(`${entry}/reports`, report())).status).toBe(201);
  const [pending, duplicated] = [await createContactRequest(scout, first), await createContactRequest(scout, second)];
  const ofThird = await createContactRequest(third, second);
  expect((await moderator.post(`/athletes/${second}/merge`, { intoId: first })).status).toBe(200);
  await platform.settled();
  expect(idsOf(await scout.get(`${both}/entries`))).toEqual([idOf(remaining)]);
  expect((await scout.get(remaining)).body).toMatchObject({ athleteId: first, notes: 'One\n\nTwo' });
  expect((await scout.get(`${remaining}/reports`)).body.data).toHaveLength(1);
  expect((await scout.get(moved)).body).toMatchObject({ athleteId: second, athlete: { id: first, displayName: 'First' } });
  expect((await other.get(ofThird)).status).toBe(404);
  expect((await agent.post(`${ofThird}/accept`, { answer: 'Call us' })).body).toMatchObject({
    athleteId: first,
    status: 'ACCEPTED',
  });
  expect((await third.get(ofThird)).body).toMatchObject({ athleteId: second, answer: 'Call us' });
  expect((await scout.get(pending)).body.status).toBe('SENT');
  expect((await scout.get(duplicated)).body.status).toBe('EXPIRED');
});

/** Writes through the bridge: bodies, preconditions, idempotency and batches. */
import { expect, test } from '@jest/globals';
import { Problem } from '../../schema/errors.ts';
import { openClubBridge } from './club-bridge.ts';

const id = '00000000-0000-4000-8000-000000000000';

test('a created resource is 201 with its location, and the key of the request reaches the write', async () => {
  await using platform = await openClubBridge();
  platform.notes = { replayed: true, consistencyToken: '42' };
  const response = await platform.app.inject({
    method: 'POST',
    url: '/api/v1/clubs',
    headers: { 'idempotency-key': 'once-1' },
    payload: { name: 'Ajax', country: 'NL', founded: null },
  });
  const club = platform.clubs[0];
  expect(response.statusCode).toBe(201);
  expect(response.json()).toMatchObject({ id: club?.id, version: 1, name: 'Ajax', founded: null });
  expect(response.headers).toMatchObject({
    location: `/api/v1/clubs/${club?.id ?? ''}`,
    'idempotent-replayed': 'true',
    'x-consistency-token': '42',
    'cache-control': 'no-store',
  });
  expect(response.headers['etag']).toMatch(/^"1-/);
  expect(platform.requested[0]?.variables).toMatchObject({
    idempotencyKey: 'once-1',
    input: { name: 'Ajax', country: 'NL', founded: null },
  });
  expect((await platform.app.inject(String(response.headers['location']))).statusCode).toBe(200);
});

test('an Idempotency-Key is 1 to 255 visible ASCII characters', async () => {
  await using platform = await openClubBridge();
  const status = async (key: string) =>
    (
      await platform.app.inject({
        method: 'POST',
        url: '/api/v1/clubs',
        headers: { 'idempotency-key': key },
        payload: { name: 'A', country: 'NL' },
      })
    ).statusCode;
  expect(await status('k'.repeat(255))).toBe(201);
  for (const key of ['', 'k'.repeat(256), 'two words', 'clé']) expect([key, await status(key)]).toEqual([key, 400]);
});

test('an update requires the version it is based on, and null removes a value', async () => {
  await using platform = await openClubBridge();
  const club = Object.assign(platform.create('Ajax'), { kind: 'AMATEUR' });
  const patch = (headers: Record<string, string>) =>
    platform.app.inject({
      method: 'PATCH',
      url: `/api/v1/clubs/${club.id}`,
      headers: { 'content-type': 'application/merge-patch+json', ...headers },
      payload: '{"kind":null}',
    });
  expect((await patch({})).json()).toMatchObject({ status: 428, code: 'precondition_required' });
  expect((await patch({ 'if-match': '"7-x"' })).json()).toMatchObject({ status: 412, code: 'precondition_failed', version: 1 });
  expect(club.kind).toBe('AMATEUR');
  const read = await platform.app.inject(`/api/v1/clubs/${club.id}`);
  const done = await patch({ 'if-match': String(read.headers['etag']) });
  expect(done.json()).toMatchObject({ version: 2, kind: null });
  const headers = { 'if-match': String(read.headers['etag']) };
  expect((await platform.app.inject({ url: `/api/v1/clubs/${club.id}`, headers })).statusCode).toBe(412);
});

test('a transition takes its arguments in the body, or has no body', async () => {
  await using platform = await openClubBridge();
  const [first, second] = [platform.create('Ajax'), platform.create('Boca')];
  const close = (club: { id: string }, payload?: object) =>
    platform.app.inject({ method: 'POST', url: `/api/v1/clubs/${club.id}/close`, ...(payload ? { payload } : {}) });
  expect((await close(first)).json()).toMatchObject({ status: 'CLOSED' });
  expect((await close(first)).json()).toMatchObject({ status: 409, code: 'invalid_transition', allowedTransitions: [] });
  expect((await close(second, { reason: 'no' })).json()).toMatchObject({ status: 422, errors: [{ pointer: '/reason' }] });
  expect((await close(second, { why: 'merged' })).json()).toMatchObject({ status: 422, errors: [{ pointer: '/why' }] });
  expect((await close(second, { reason: 'merged' })).statusCode).toBe(200);
  expect(platform.requested.at(-1)?.variables).toEqual({ id: second.id, reason: 'merged' });
  expect((await close({ id })).statusCode).toBe(404);
});

test('an unsupported precondition is rejected, not ignored', async () => {
  await using platform = await openClubBridge();
  const { id: club } = platform.create('Ajax');
  const response = await platform.app.inject({
    method: 'POST',
    url: `/api/v1/clubs/${club}/close`,
    headers: { 'if-match': '"1"' },
  });
  expect(response.json()).toMatchObject({ status: 400, errors: [{ parameter: 'If-Match' }] });
});

test('an invalid item of a batch does not affect the others, and outcomes are in the order of the items', async () => {
  await using platform = await openClubBridge();
  const items = [{ name: 'Ajax', country: 'NL' }, { name: 'Boca' }, 'Celta', { name: 'Derby', country: 'GB-ENG' }];
  const response = await platform.app.inject({ method: 'POST', url: '/api/v1/clubs/batch', payload: { items } });
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({
    data: [
      { index: 0, outcome: 'CREATED', error: null },
      {
        index: 1,
        outcome: 'FAILED',
        id: null,
        version: null,
        error: { code: 'validation_failed', errors: [{ pointer: '/country', code: 'required' }] },
      },
      { index: 2, outcome: 'FAILED', error: { errors: [{ pointer: '', detail: 'must be an object' }] } },
      { index: 3, outcome: 'CREATED', error: null },
    ],
    summary: { created: 2, updated: 0, unchanged: 0, failed: 2 },
  });
  expect(platform.clubs.map(({ name }) => name)).toEqual(['Ajax', 'Derby']);
});

test('a batch without a valid item is charged, returns its outcomes, and reaches no area', async () => {
  await using platform = await openClubBridge();
  const response = await platform.app.inject({ method: 'POST', url: '/api/v1/clubs/batch', payload: { items: [{}] } });
  expect(response.json()).toMatchObject({ data: [{ outcome: 'FAILED' }], summary: { created: 0, failed: 1 } });
  expect(platform.requested.map(({ admitOnly }) => admitOnly)).toEqual([true]);
  expect(platform.settled).toEqual([200]);
});

test('a batch holds 1 to 500 items and may be 8 MiB', async () => {
  await using platform = await openClubBridge();
  const batch = (items: unknown, name = 'A') =>
    platform.app.inject({ method: 'POST', url: '/api/v1/clubs/batch', payload: { items, ...(name === 'A' ? {} : { name }) } });
  const item = { name: 'A', country: 'NL' };
  expect((await batch([])).json()).toMatchObject({
    status: 422,
    errors: [{ pointer: '/items', detail: 'must have 1 to 500 items' }],
  });
  expect((await batch(Array.from({ length: 501 }, () => item))).json()).toMatchObject({ status: 422 });
  expect((await batch([item], 'B')).json()).toMatchObject({ status: 422, errors: [{ pointer: '/name' }] });
  expect((await batch(Array.from({ length: 500 }, () => ({ ...item, colours: ['x'.repeat(4000)] })))).statusCode).toBe(200);
});

test('the most severe of several errors decides the status', async () => {
  await using platform = await openClubBridge();
  const { id: club } = platform.create('Ajax');
  platform.playersViolation = new Problem('insufficient_scope', 'Needs players:read.');
  expect((await platform.app.inject(`/api/v1/clubs/${club}?include=players`)).json()).toMatchObject({
    status: 403,
    code: 'insufficient_scope',
    detail: 'Needs players:read.',
  });
  platform.playersViolation = new Problem('internal', 'column "secret" does not exist');
  expect((await platform.app.inject(`/api/v1/clubs/${club}?include=players`)).json()).toMatchObject({
    status: 500,
    code: 'internal',
    detail: expect.not.stringContaining('secret'),
  });
});

/** Replays through the public APIs: minors, expiring rights, tags, lists and batches. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { createAdult, idsOf } from '../organizations/clubs.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { openStudio, path, tomorrow, yesterday, type Studio } from './studio.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await openStudio();
});
afterAll(() => studio.close());

describe('a minor in a replay', () => {
  const tag = (id: string, athleteId: string, more: object = {}) => studio.owner.post(path(id, 'tags'), { athleteId, ...more });
  const seenBy = async (client: Client, id: string): Promise<string[]> =>
    (await client.get(path(id))).body.tags.map(({ athlete }: { athlete: { id: string } | null }) => athlete?.id ?? null);

  test('or an athlete of unknown age keeps it in review until a moderator publishes it', async () => {
    const { id: ageless } = await createAthlete(studio.owner);
    for (const athleteId of [studio.minor, ageless]) {
      const { id, status } = await studio.create({ athleteId, status: 'PUBLISHED' });
      expect([status, await studio.isShown(id)]).toEqual(['REVIEW', false]);
      expect(idsOf(await studio.moderator.get('/competitions/replays?status=REVIEW&limit=100'))).toContain(id);
      expect(idsOf(await studio.other.get('/competitions/replays?status=REVIEW&limit=100'))).toEqual([]);
      expect((await studio.moderator.get(path(id))).body).toMatchObject({ url: 'https://video.example/1', athlete: null });
      expect((await studio.moderator.post(path(id, 'publish'))).body).toMatchObject({ status: 'PUBLISHED', version: 2 });
      expect((await studio.platform.anonymous.get(path(id))).body).toMatchObject({ athlete: null, tags: [] });
      expect((await studio.owner.get(path(id))).body.athlete).toMatchObject({ id: athleteId });
      await studio.owner.post(path(id, 'hide'));
      expect((await studio.owner.post(path(id, 'publish'))).body).toMatchObject({ status: 'REVIEW' });
    }
  });

  test('tagging an athlete moves a published replay to review; tagging a reviewed athlete does not', async () => {
    const { id } = await studio.create({ status: 'PUBLISHED' });
    const tagged = await tag(id, studio.minor, { action: 'GOAL', atMs: 1500 });
    expect(tagged.body).toMatchObject({ status: 'REVIEW', version: 3, tags: [{ action: 'GOAL', atMs: 1500 }] });
    expect(await studio.isShown(id)).toBe(false);
    await studio.moderator.post(path(id, 'publish'));
    expect([await studio.isShown(id), await seenBy(studio.platform.anonymous, id), await seenBy(studio.owner, id)]).toEqual([
      true,
      [null],
      [studio.minor],
    ]);
    expect((await tag(id, studio.minor)).body).toMatchObject({ status: 'PUBLISHED' });
    expect((await tag(id, studio.adult)).body).toMatchObject({ status: 'PUBLISHED' });
    // Lists find it by public athletes only.
    expect(idsOf(await studio.platform.anonymous.get(`/competitions/replays?athleteId=${studio.minor}`))).toEqual([]);
    expect(idsOf(await studio.owner.get(`/competitions/replays?athleteId=${studio.minor}`))).toContain(id);
  });

  test('is reviewed again with a new recording', async () => {
    const { id } = await studio.inState.REVIEW();
    await studio.moderator.post(path(id, 'publish'));
    expect((await studio.owner.patch(path(id), { title: 'Second half' }, { 'if-match': '*' })).body).toMatchObject({
      status: 'PUBLISHED',
    });
    const swapped = await studio.owner.patch(path(id), { url: 'https://video.example/other' }, { 'if-match': '*' });
    expect([swapped.body.status, await studio.isShown(id)]).toEqual(['REVIEW', false]);
    const plain = await studio.create({ status: 'PUBLISHED' });
    expect(
      (await studio.owner.patch(path(plain.id), { url: 'https://video.example/other' }, { 'if-match': '*' })).body.status,
    ).toBe('PUBLISHED');
  });

  test('whose birth date is added later moves it to review', async () => {
    const { id: athleteId } = await createAdult(studio.owner);
    const { id } = await studio.create({ athleteId, status: 'PUBLISHED' });
    expect(await studio.statusFor(studio.platform.anonymous, id)).toBe('PUBLISHED');
    await studio.owner.patch(`/athletes/${athleteId}`, { dateOfBirth: bornFor(15, 10) }, { 'if-match': '*' });
    await studio.platform.settled();
    expect([await studio.statusFor(studio.platform.anonymous, id), await studio.statusFor(studio.owner, id)]).toEqual([
      404,
      'REVIEW',
    ]);
  });

  test('of another account cannot be tagged', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { id } = await studio.create();
    const responses = await Promise.all([
      ...[studio.outsider, unknown].map((athleteId) => studio.owner.post('/competitions/replays', studio.clip({ athleteId }))),
      ...[studio.outsider, unknown].map((athleteId) => tag(id, athleteId)),
    ]);
    for (const { status, body } of responses)
      expect({ status, errors: body.errors }).toEqual({
        status: 422,
        errors: [{ pointer: '/athleteId', code: 'unknown_athlete', detail: 'There is no athlete with this ID.' }],
      });
  });
});

/** Actions and statuses in the history, and the published events. */
async function readHistoryAndEvents(id: string) {
  const { rows } = await studio.database.query<{ action: string; status: unknown }>(
    "select action, changes -> 'status' as status from competitions.history where resource_id = $1 order by version, id",
    [id],
  );
  const events = await studio.database.query<{ type: string }>(
    'select type from competitions.outbox where resource_id = $1 order by version',
    [id],
  );
  return { history: rows.map(({ action, status }) => [action, status]), events: events.rows.map(({ type }) => type) };
}

describe('rights', () => {
  test('that end hide it immediately; the status is stored later, with an event and a tombstone', async () => {
    const { id } = await studio.create({ status: 'PUBLISHED', rights: { expiresAt: tomorrow() } });
    expect(await studio.isShown(id)).toBe(true);
    const since = encodeURIComponent(new Date(Date.now() - 60_000).toISOString());
    await studio.database.query("update competitions.replay set expires_at = now() - interval '1 second' where id = $1", [id]);
    const match = `{ replays(first: 100) { nodes { id } } replay(id: "${id}") { id } }`;
    const { replays, replay } = (await studio.platform.anonymous.graphql(match)).body.data;
    expect([await studio.isShown(id), replay, replays.nodes.some((each: { id: string }) => each.id === id)]).toEqual([
      false,
      null,
      false,
    ]);
    expect((await studio.owner.get(path(id))).body).toMatchObject({ status: 'EXPIRED', version: 1 });
    expect(idsOf(await studio.owner.get('/competitions/replays?mine=true&status=EXPIRED&limit=100'))).toContain(id);
    expect(idsOf(await studio.owner.get('/competitions/replays?mine=true&status=PUBLISHED&limit=100'))).not.toContain(id);
    expect((await studio.owner.post(path(id, 'hide'))).body).toMatchObject({
      code: 'invalid_transition',
      allowedTransitions: ['publish'],
    });

    await studio.platform.maintain();
    expect((await studio.owner.get(path(id))).body).toMatchObject({ status: 'EXPIRED', version: 2 });
    expect(await readHistoryAndEvents(id)).toEqual({
      history: [
        ['created', [null, 'DRAFT']],
        ['publish', ['DRAFT', 'PUBLISHED']],
        ['expire', ['PUBLISHED', 'EXPIRED']],
      ],
      events: ['replay.created', 'replay.status_changed'],
    });
    const { body } = await studio.platform.anonymous.get(`/competitions/replays?updatedSince=${since}&limit=100`);
    expect(body.tombstones).toContainEqual({ id, deleted: true });
    await studio.platform.maintain();
    expect((await studio.owner.get(path(id))).body).toMatchObject({ version: 2 });
  });

  test('that are extended allow publishing it again, by a transition and not by the update', async () => {
    const { id } = await studio.create({
      status: 'PUBLISHED',
      rights: { holder: 'Club TV', territories: ['DE'], expiresAt: tomorrow() },
    });
    await studio.database.query("update competitions.replay set expires_at = now() - interval '1 second' where id = $1", [id]);
    const over = await studio.owner.post(path(id, 'publish'));
    expect(over.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/rights/expiresAt', code: 'in_past' }] });
    const renewed = await studio.owner.patch(path(id), { rights: { expiresAt: tomorrow() } }, { 'if-match': '"1"' });
    expect(renewed.body).toMatchObject({ status: 'EXPIRED', version: 3, rights: { holder: 'Club TV', territories: ['DE'] } });
    expect(await studio.isShown(id)).toBe(false);
    expect((await studio.owner.post(path(id, 'publish'))).body.status).toBe('PUBLISHED');
    expect(await studio.isShown(id)).toBe(true);
    const free = await studio.owner.patch(path(id), { rights: null }, { 'if-match': '*' });
    expect(free.body).toMatchObject({ status: 'PUBLISHED', rights: null });
    const { body } = await studio.owner.post(
      '/competitions/replays',
      studio.clip({ status: 'PUBLISHED', rights: { expiresAt: yesterday() } }),
    );
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/rights/expiresAt' }] });
  });
});

describe('a replay', () => {
  test('requires a match or an athlete of the account, and a web URL', async () => {
    const { id: foreign } = await createAdult(studio.other);
    const violations = async (more: object): Promise<unknown> => {
      const { body } = await studio.owner.post('/competitions/replays', studio.clip(more));
      return body.errors?.map(({ pointer }: { pointer: string }) => pointer) ?? body.code;
    };
    expect(await violations({ athleteId: foreign })).toBe('not_owner');
    expect(await violations({ athleteId: undefined })).toEqual(['/matchId']);
    expect(await violations({ matchId: '00000000-0000-4000-8000-000000000000' })).toEqual(['/matchId']);
    for (const url of ['javascript:alert(1)', 'ftp://video.example/1', '//video.example/1', 'https://'])
      expect(await violations({ url })).toEqual(['/url']);
    const long = await studio.create({ durationSeconds: 90 });
    const late = await studio.owner.post(path(long.id, 'tags'), { athleteId: foreign, atMs: 90_001 });
    expect(late.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/atMs' }] });
  });

  test('that is taken down stays so, and its owner can read the reason', async () => {
    const { id } = await studio.inState.TAKEN_DOWN();
    expect((await studio.owner.get(path(id))).body).toMatchObject({ status: 'TAKEN_DOWN', statusReason: 'Reported' });
    expect((await studio.owner.post(path(id, 'publish'))).body).toMatchObject({
      code: 'invalid_transition',
      allowedTransitions: [],
    });
  });

  test('can be deleted only as a draft, and tags can be removed by ID', async () => {
    const draft = await studio.create();
    const { body: tagged } = await studio.owner.post(path(draft.id, 'tags'), { athleteId: studio.adult, atMs: 10 });
    expect((await studio.owner.delete(path(draft.id, `tags/${tagged.tags[0].id}`), { 'if-match': '"1"' })).status).toBe(412);
    expect((await studio.other.delete(path(draft.id, `tags/${tagged.tags[0].id}`), { 'if-match': '*' })).status).toBe(404);
    const left = await studio.owner.delete(path(draft.id, `tags/${tagged.tags[0].id}`), { 'if-match': '"2"' });
    expect(left.body).toMatchObject({ version: 3, tags: [] });
    expect((await studio.owner.delete(path(draft.id, `tags/${tagged.tags[0].id}`), { 'if-match': '*' })).status).toBe(404);
    await studio.owner.post(path(draft.id, 'tags'), { athleteId: studio.adult });
    expect((await studio.owner.delete(path(draft.id), { 'if-match': '*' })).status).toBeLessThan(300);
    expect((await studio.owner.get(path(draft.id))).status).toBe(404);
    const visible = await studio.create({ status: 'PUBLISHED' });
    expect((await studio.owner.delete(path(visible.id), { 'if-match': '*' })).body).toMatchObject({ code: 'in_use' });
  });

  test('can be found by its members, but not on the host of another sport', async () => {
    const { id } = await studio.create({ status: 'PUBLISHED', kind: 'ANALYSIS', language: 'pt-BR' });
    const query = 'sport=FOOTBALL&kind=ANALYSIS,FULL&language=pt-BR&sort=-createdAt';
    const found = await studio.platform.anonymous.get(`/competitions/replays?${query}`);
    expect([idsOf(found), found.headers.get('cache-control')]).toEqual([[id], 'private, no-cache']);
    for (const others of ['sport=TENNIS', 'kind=FULL', 'language=pt', 'status=HIDDEN'])
      expect(idsOf(await studio.platform.anonymous.get(`/competitions/replays?${others}`))).not.toContain(id);
  });

  test('is imported by external IDs; a second import changes nothing', async () => {
    const item = (value: string, more: object = {}) => studio.clip({ externalIds: [{ scheme: 'FEED', value }], ...more });
    const items = [
      item('r1', { status: 'PUBLISHED', rights: { holder: 'TV', expiresAt: '2040-01-01T00:00:00Z' } }),
      item('r2', { status: 'PUBLISHED', athleteId: studio.minor }),
      item('r3', { athleteId: studio.outsider }),
    ];
    const importAll = async (given: object[]) => (await studio.owner.post('/competitions/replays/batch', { items: given })).body;
    const none = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    expect((await importAll(items)).summary).toEqual({ ...none, created: 2, failed: 1 });
    const repeated = await importAll(items);
    expect(repeated.summary).toEqual({ ...none, unchanged: 2, failed: 1 });
    expect(await studio.statusFor(studio.owner, repeated.data[1].id)).toBe('REVIEW');
    await studio.moderator.post(path(repeated.data[1].id, 'publish'));
    const changed = await importAll([
      { ...items[0], athleteId: studio.minor },
      { ...items[1], url: 'https://video.example/other' },
    ]);
    expect(changed.data).toMatchObject([
      { outcome: 'FAILED', error: { errors: [{ pointer: '/athleteId', code: 'immutable' }] } },
      { outcome: 'UPDATED' },
    ]);
    expect(await studio.statusFor(studio.owner, repeated.data[1].id)).toBe('REVIEW');
    expect(idsOf(await studio.platform.anonymous.get('/competitions/replays?externalId=FEED:r1'))).toEqual([repeated.data[0].id]);
  });
});

/** Results through the public APIs: writes, certification, correction, annulment and versions. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring, type Fixture } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
let league: League;
let at: ReturnType<typeof scoring>;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'League' }), platform.account({ account: 'Other' })]);
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
  at = scoring(owner, league);
});
afterAll(() => platform.close());

describe('a result', () => {
  test('is created with If-None-Match, then replaced with If-Match', async () => {
    const match = await at.begun([0, 1]);
    const first = scored(match.sides, 1, 0);
    expect((await at.put(match.id, first, {})).body).toMatchObject({ status: 428, code: 'precondition_required' });
    expect((await at.put(match.id, first, { 'if-match': '*' })).body).toMatchObject({ status: 412 });
    const { status, body, headers } = await at.put(match.id, first);
    expect([status, headers.get('etag')]).toEqual([200, expect.stringMatching(/^"1-/)]);
    expect(body).toMatchObject({
      version: 1,
      status: 'PROVISIONAL',
      match: { id: match.id },
      certifiedAt: null,
      duration: 'REGULAR',
    });
    expect(body.participants).toEqual([
      expect.objectContaining({ participant: expect.objectContaining({ name: 'Rot' }), outcome: 'WIN', score: 1 }),
      expect.objectContaining({ participant: expect.objectContaining({ name: 'Blau' }), outcome: 'LOSS', score: 0 }),
    ]);
    expect((await at.put(match.id, first)).body).toMatchObject({ status: 412, code: 'precondition_failed' });
    const second = scored(match.sides, 1, 1);
    expect((await at.put(match.id, second, { 'if-match': headers.get('etag') ?? '' })).body).toMatchObject({ version: 2 });
    expect((await at.put(match.id, first, { 'if-match': '"1"' })).body).toMatchObject({ status: 412, version: 2 });
    expect((await at.put(match.id, second, { 'if-match': '*' })).body).toMatchObject({ version: 2 });
    const { result } = (await platform.anonymous.get(`/competitions/matches/${match.id}`)).body;
    expect(result.participants.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['DRAW', 'DRAW']);
  });

  test('reports all violations together', async () => {
    const match = await at.begun([0, 1]);
    const { status, body } = await at.put(match.id, {
      status: 'OFFICIAL',
      participants: [
        { participantId: match.sides[0], score: 2, outcome: 'LOSS', tries: 1 },
        { participantId: league.participants[2], score: 1, mark: { text: '9.58' } },
      ],
    });
    expect([status, body.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)]).toEqual([
      422,
      [
        '/status not_certified',
        '/participants/1/participantId not_in_match',
        '/participants required',
        '/participants/0/tries not_in_sport',
        '/participants/1/mark not_measured',
        '/participants/0/outcome contradicts_score',
      ],
    ]);
    expect((await platform.anonymous.get(`/competitions/matches/${match.id}/result`)).status).toBe(404);
  });

  test('one of two concurrent writes is rejected, and so is the second certification', async () => {
    const match = await at.begun([0, 1]);
    const both = await Promise.all([at.put(match.id, scored(match.sides, 1, 0)), at.put(match.id, scored(match.sides, 0, 1))]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 412]);
    await at.finish(match);
    const certified = await Promise.all([at.step(match.id, 'certify'), at.step(match.id, 'certify')]);
    expect(certified.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    // A correction concurrent with the certification follows it, or is rejected.
    const next = await at.fixture([0, 1]);
    await at.finish(next);
    await at.put(next.id, scored(next.sides, 1, 0));
    const correction = { reason: 'Own goal', ...scored(next.sides, 2, 0) };
    const [certificate, corrected] = await Promise.all([at.step(next.id, 'certify'), at.step(next.id, 'correct', correction)]);
    expect(certificate.status).toBe(200);
    expect([200, 409]).toContain(corrected.status);
    const { body } = await owner.get(`/competitions/matches/${next.id}/result/versions`);
    expect(body.data).toHaveLength(corrected.status === 200 ? 3 : 2);
  });

  test('keeps every complete version over repeated corrections', async () => {
    const match = await at.played([0, 1], [2, 1]);
    const [first, second] = match.sides;
    const corrected = await at.step(match.id, 'correct', { reason: 'A goal too many', ...scored(match.sides, 1, 1) });
    expect(corrected.body).toMatchObject({ version: 3, status: 'CORRECTED', reason: 'A goal too many' });
    const forfeited = {
      reason: 'Ineligible player',
      participants: [{ participantId: first, forfeit: true }, { participantId: second }],
    };
    expect((await at.step(match.id, 'correct', forfeited)).body).toMatchObject({ version: 4, status: 'CORRECTED' });
    const { body } = await platform.anonymous.get(`/competitions/matches/${match.id}/result/versions?limit=3`);
    const summaryOf = (page: {
      data: { version: number; status: string; participants: { outcome: string; score: number }[] }[];
    }) =>
      page.data.map(({ version, status, participants }) => [
        version,
        status,
        ...participants.map(({ outcome, score }) => [outcome, score]),
      ]);
    expect(summaryOf(body)).toEqual([
      [4, 'CORRECTED', ['LOSS', null], ['WIN', null]],
      [3, 'CORRECTED', ['DRAW', 1], ['DRAW', 1]],
      [2, 'OFFICIAL', ['WIN', 2], ['LOSS', 1]],
    ]);
    const rest = await platform.anonymous.get(
      `/competitions/matches/${match.id}/result/versions?limit=3&cursor=${body.page.nextCursor}`,
    );
    expect(summaryOf(rest.body)).toEqual([[1, 'PROVISIONAL', ['WIN', 2], ['LOSS', 1]]]);
    expect(rest.body.page.hasMore).toBe(false);
  });

  test('returns the first response for the same Idempotency-Key', async () => {
    const match = await at.played([0, 1], [2, 1]);
    const correction = { reason: 'Own goal', ...scored(match.sides, 3, 1) };
    const correct = () => owner.post(`${at.path(match.id)}/result/correct`, correction, { 'idempotency-key': 'once' });
    const [one, repeated] = [await correct(), await correct()];
    expect([one.body.version, repeated.body]).toEqual([3, one.body]);
    expect((await owner.get(`${at.path(match.id)}/result/versions`)).body.data).toHaveLength(3);
  });

  test('belongs to the account of its match, and has the visibility of the match', async () => {
    const match = await at.played([0, 1], [2, 1]);
    expect((await other.post(`${at.path(match.id)}/result/annul`, { reason: 'x' })).body.code).toBe('not_owner');
    expect((await platform.anonymous.post(`${at.path(match.id)}/result/certify`)).status).toBe(401);
    const draft = await playLeague(owner, ['Eins', 'Zwei'], { status: 'DRAFT' });
    const hidden = await scoring(owner, draft).played([0, 1], [1, 0]);
    for (const path of [`${at.path(hidden.id)}/result`, `${at.path(hidden.id)}/result/versions`])
      expect([(await other.get(path)).status, (await owner.get(path)).status]).toEqual([404, 200]);
    expect((await other.post(`${at.path(hidden.id)}/result/annul`, { reason: 'x' })).status).toBe(404);
    expect((await other.get(`/competitions/results?seasonId=${draft.seasonId}`)).body.data).toEqual([]);
    expect((await owner.get(`/competitions/results?mine=true&seasonId=${draft.seasonId}`)).body.data).toHaveLength(1);
  });
});

describe('a match that has not started', () => {
  test('accepts no result, except one that finishes it', async () => {
    const match = await at.fixture([0, 1]);
    const early = await at.put(match.id, scored(match.sides, 1, 0));
    expect(early.body).toMatchObject({ status: 409, code: 'invalid_transition', state: 'SCHEDULED' });
    expect(early.body.allowedTransitions).toContain('start');
    const item = { matchId: match.id, ...scored(match.sides, 1, 0) };
    const send = async (status: string) =>
      (await owner.post('/competitions/results/batch', { items: [{ ...item, status }] })).body;
    expect((await send('PROVISIONAL')).data[0].error).toMatchObject({ code: 'invalid_transition' });
    expect((await send('OFFICIAL')).summary).toMatchObject({ created: 1 });
  });
});

describe('a cancelled season', () => {
  test('accepts no additions, starts and certifications; open matches can be cancelled', async () => {
    const season = await playLeague(owner, ['A', 'B']);
    const play = scoring(owner, season);
    const [open, running, decided] = [await play.fixture([0, 1]), await play.begun([0, 1]), await play.played([0, 1], [1, 0])];
    await play.put(running.id, scored(running.sides, 1, 0));
    const path = `/competitions/seasons/${season.seasonId}`;
    expect((await owner.post(`${path}/cancel`)).status).toBe(200);
    const rejected = [
      await owner.post(`${play.path(open.id)}/start`),
      await owner.post(`${play.path(running.id)}/finish`),
      await play.put(running.id, scored(running.sides, 2, 0), { 'if-match': '*' }),
      await owner.post(`${path}/contests`, { name: 'Later' }),
      await owner.post(`${path}/stages/batch`, { items: [{ name: 'Later', type: 'GROUP' }] }),
    ];
    for (const { body } of rejected)
      expect(body).toMatchObject({ status: 409, code: 'invalid_transition', state: 'CANCELLED', allowedTransitions: [] });
    const item = { matchId: running.id, status: 'OFFICIAL', ...scored(running.sides, 2, 0) };
    const { body } = await owner.post('/competitions/results/batch', { items: [item] });
    expect(body.data[0].error).toMatchObject({ code: 'invalid_transition' });
    expect((await owner.post('/competitions/matches', { seasonId: season.seasonId })).status).toBe(422);
    expect((await owner.post(`${play.path(open.id)}/cancel`)).status).toBe(200);
    const corrected = await play.step(decided.id, 'correct', { reason: 'Appeal', ...scored(decided.sides, 0, 1) });
    expect(corrected.status).toBe(200);
  });
});

describe('the transitions of a result', () => {
  const ways: Record<string, (match: Fixture) => Promise<unknown>> = {
    none: () => Promise.resolve(),
    PROVISIONAL: (match) => at.put(match.id, scored(match.sides, 1, 0)),
    OFFICIAL: async (match) => {
      await at.put(match.id, scored(match.sides, 1, 0));
      await at.step(match.id, 'certify');
    },
    CORRECTED: async (match) => {
      await ways['OFFICIAL']?.(match);
      await at.step(match.id, 'correct', { reason: 'x', ...scored(match.sides, 2, 0) });
    },
    ANNULLED: async (match) => {
      await ways['OFFICIAL']?.(match);
      await at.step(match.id, 'annul', { reason: 'x' });
    },
  };
  const actions: Record<string, (match: Fixture) => Promise<{ status: number; body: Record<string, unknown> }>> = {
    put: (match) => at.put(match.id, scored(match.sides, 3, 3), { 'if-match': '*' }),
    certify: (match) => at.step(match.id, 'certify'),
    correct: (match) => at.step(match.id, 'correct', { reason: 'x', ...scored(match.sides, 3, 3) }),
    annul: (match) => at.step(match.id, 'annul', { reason: 'x' }),
  };
  const allowed: Record<string, Record<string, string>> = {
    PROVISIONAL: { put: 'PROVISIONAL', certify: 'OFFICIAL', annul: 'ANNULLED' },
    OFFICIAL: { correct: 'CORRECTED', annul: 'ANNULLED' },
    CORRECTED: { correct: 'CORRECTED', annul: 'ANNULLED' },
    ANNULLED: { correct: 'CORRECTED' },
  };

  test('are allowed or rejected with the allowed transitions', async () => {
    for (const [state, wrap] of Object.entries(ways)) {
      for (const [action, act] of Object.entries(actions)) {
        const match = await at.begun([0, 1]);
        await at.finish(match);
        await wrap(match);
        const { status, body } = await act(match);
        const to = allowed[state]?.[action];
        const steps = Object.keys(allowed[state] ?? {}).filter((verb) => verb !== 'put');
        const expected = to
          ? { status: to }
          : state === 'none'
            ? { status: action === 'put' ? 412 : 404 }
            : { status: 409, code: 'invalid_transition', state, allowedTransitions: steps };
        expect([state, action, body]).toEqual([state, action, expect.objectContaining(expected)]);
        expect([state, action, status]).toEqual([state, action, to ? 200 : expected.status]);
      }
    }
  });
});

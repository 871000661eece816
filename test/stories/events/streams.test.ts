/** Event streams: what each account reads, as it happens, in one order, without gaps, in both wirings. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, wirings, type TestPlatform } from '../../test-platform.ts';
import { facts } from '../athletes/people.ts';
import { playLeague, type League } from '../competitions/leagues.ts';
import { openSource, openText } from './event-source.ts';

type KeyedClient = Client & { readonly key: string };

const matchTypes = ['match.created', 'match.status_changed', 'match_action.created', 'match.finished'];

describe.each(wirings)('%s', (wiring) => {
  let platform: TestPlatform;
  let owner: KeyedClient;
  let other: KeyedClient;
  let league: League;
  beforeAll(async () => {
    platform = await openTestPlatform({ wiring });
    [owner, other] = [await platform.account({ account: 'Owner' }), await platform.account({ account: 'Other' })];
    league = await playLeague(owner, ['Rot', 'Blau']);
    await platform.settled();
  });
  afterAll(() => platform.close());

  async function createMatch(): Promise<string> {
    const [home, away] = league.participants;
    const { body } = await owner.post('/competitions/matches', {
      seasonId: league.seasonId,
      participants: [
        { participantId: home, side: 'HOME' },
        { participantId: away, side: 'AWAY' },
      ],
    });
    return String(body.id);
  }
  const goal = async (matchId: string, minute: number): Promise<string> => {
    const { body } = await owner.post(`/competitions/matches/${matchId}/actions`, {
      type: 'GOAL',
      minute,
      participantId: league.participants[0],
    });
    return String(body.id);
  };

  test('a stream delivers the items of GET /events in the same order, each with a cursor', async () => {
    const source = await openSource(platform, other.key, { types: matchTypes });
    const matchId = await createMatch();
    await owner.post(`/competitions/matches/${matchId}/start`);
    await goal(matchId, 1);
    await source.until((events) => events.some(({ type }) => type === 'match_action.created'));
    source.close();
    expect(source.events.map(({ type }) => type)).toEqual(['match.created', 'match.status_changed', 'match_action.created']);
    // a cursor of the stream continues the list after its event, also with another filter
    const after = await other.get(`/events?resourceId=${matchId}&cursor=${encodeURIComponent(String(source.events[0]?.id))}`);
    // earlier events have a representation of their time
    expect(after.body.data.map(({ id }: { id: string }) => id)).toEqual(source.events.slice(1).map(({ data }) => data.id));
    expect(after.body.data.at(-1)).toEqual(source.events.at(-1)?.data);
    const next = await other.get(`/events?cursor=${encodeURIComponent(String(source.events[2]?.id))}`);
    expect(next.body.data).toEqual([]);
  });

  test('a stream delivers only what matches its filters', async () => {
    const matchId = await createMatch();
    await platform.settled();
    const one = await openSource(platform, owner.key, { query: `?resourceId=${matchId}`, types: matchTypes });
    const started = await openSource(platform, owner.key, {
      query: '?type=match.status_changed&sport=FOOTBALL',
      types: matchTypes,
    });
    const swimming = await openSource(platform, owner.key, { query: '?sport=SWIMMING', types: matchTypes });
    const elsewhere = await createMatch();
    await owner.post(`/competitions/matches/${elsewhere}/start`);
    await owner.post(`/competitions/matches/${matchId}/start`);
    await one.until((events) => events.length > 0);
    await started.until((events) => events.length > 1);
    expect(one.events.map(({ type, data }) => [type, data.resource.id])).toEqual([['match.status_changed', matchId]]);
    expect(started.events.map(({ data }) => data.resource.id)).toEqual([elsewhere, matchId]);
    expect(swimming.events).toEqual([]);
    for (const source of [one, started, swimming]) source.close();
  });

  test('a client that reconnects while events happen receives each event once', async () => {
    const matchId = await createMatch();
    await owner.post(`/competitions/matches/${matchId}/start`);
    await platform.settled();
    const expected: string[] = [];
    const received: string[] = [];
    let id = (await owner.get('/events?limit=100')).body.page.resumeCursor;
    for (let more = true; more;) {
      const { body } = await owner.get(`/events?limit=100&cursor=${encodeURIComponent(id)}`);
      [id, more] = [body.page.resumeCursor, body.page.hasMore];
    }
    const writing = (async () => {
      for (let minute = 1; minute <= 40; minute += 1) expected.push(await goal(matchId, minute));
    })();
    for (let connections = 0; received.length < 40 && connections < 60; connections += 1) {
      const stream = await openText(platform, owner.key, '?type=match_action.created', { 'last-event-id': id });
      // three events, then the client disconnects in the middle of what follows
      const text = await stream.until(
        (all) => all.split('\nevent: ').length > 3 || received.length + all.split('\nevent: ').length > 40,
      );
      await stream.close();
      for (const block of text.split('\n\n').slice(0, -1)) {
        const [, eventId] = /^id: (.+)$/m.exec(block) ?? [];
        const [, data] = /^data: (.+)$/m.exec(block) ?? [];
        if (data === undefined || eventId === undefined) continue;
        received.push(JSON.parse(data).resource.id);
        id = eventId;
      }
    }
    await writing;
    expect(received).toEqual(expected);
  });

  test('a stream contains nothing that its account cannot read, also not as a comment', async () => {
    const stream = await openText(platform, other.key);
    await stream.until((text) => text.includes('\n\n'));
    const { body: minor } = await owner.post('/athletes', facts({ displayName: 'Young Person', dateOfBirth: '2012-05-05' }));
    await platform.settled();
    const matchId = await createMatch();
    const text = await stream.until((all) => all.includes(matchId));
    await stream.close();
    expect(text).not.toContain(minor.id);
    expect(text.split('\n\n').filter((block) => block.startsWith(':'))).toEqual([]);
    const mine = await openText(platform, owner.key, `?resourceId=${minor.id}&since=2020-01-01T00:00:00Z`);
    expect(await mine.until((all) => all.includes(minor.id))).toContain('athlete.created');
    await mine.close();
  });

  test('streams of a revoked key, a suspended account and a key with other scopes end within seconds', async () => {
    const keyOf = async (account: string) => {
      const scopes = ['events:read', 'athletes:write'];
      const input = { accountName: account, name: 'test', plan: 'plenty', scopes };
      const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id account { id } } } }';
      // Cast: the document selects it.
      const { issueApiKey } = (await platform.administer(issue, { input })) as {
        issueApiKey: { key: string; apiKey: { id: string; account: { id: string } } };
      };
      return { ...issueApiKey, stream: await openText(platform, issueApiKey.key) };
    };
    const [revoked, suspended, changed] = [await keyOf('Revoked'), await keyOf('Suspended'), await keyOf('Changed')];
    const kept = await openText(platform, owner.key);
    await platform.administer('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: revoked.apiKey.id });
    await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', { id: suspended.apiKey.account.id });
    await platform.administer(
      'mutation ($id: ID!) { updateApiKey(id: $id, ifMatch: "*", input: { scopes: ["events:read"] }) { id } }',
      { id: changed.apiKey.id },
    );
    for (const { stream } of [revoked, suspended, changed])
      expect(await stream.rest()).toMatch(/\nretry: \d+\n: the API key or its account has changed\n\n$/);
    expect(kept.text()).not.toContain('changed');
    await kept.close();
  });

  test('an unknown type, limit=, an unknown parameter and a foreign cursor are rejected as for GET /events', async () => {
    const codeOf = async (path: string, headers = {}) => (await owner.get(`/events/stream${path}`, headers)).body.code;
    expect(await codeOf('?type=match.finish')).toBe('parameter_invalid');
    expect(await codeOf('?limit=3')).toBe('parameter_invalid');
    expect(await codeOf('?colour=red')).toBe('unknown_parameter');
    expect(await codeOf('?cursor=abc')).toBe('cursor_invalid');
    expect(await codeOf('', { 'last-event-id': 'abc' })).toBe('cursor_invalid');
    expect(await codeOf('', { accept: 'application/json' })).toBe('not_acceptable');
    expect((await platform.anonymous.get('/events/stream')).body.code).toBe('api_key_missing');
    const without = await platform.account({ scopes: [] });
    expect((await without.get('/events/stream')).body.code).toBe('insufficient_scope');
    const head = await owner.send('/events/stream', { method: 'HEAD' });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const posted = await owner.post('/events/stream', {});
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('a plan allows a number of streams per account; a closed one makes room', async () => {
    await platform.plan('two-streams', { burstPerMinute: 1_000, perDay: 1_000, perMonth: 1_000 }, true, 2);
    const small = await platform.account({ account: 'Small', plan: 'two-streams' });
    const [first, second] = [await openText(platform, small.key), await openText(platform, small.key)];
    expect([first.status, second.status]).toEqual([200, 200]);
    const third = await small.get('/events/stream');
    expect(third.body).toMatchObject({ status: 429, code: 'stream_limit_exceeded', limit: 2, used: 2, plan: 'two-streams' });
    await first.close();
    await eventually(async () => {
      const again = await openText(platform, small.key);
      await again.close();
      expect(again.status).toBe(200);
    });
    await second.close();
  });
});

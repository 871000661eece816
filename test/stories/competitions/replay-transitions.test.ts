/** All transitions of replays by all actors, and replays of matches, through the public APIs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { idsOf } from '../organizations/clubs.ts';
import { playLeague } from './leagues.ts';
import { openStudio, path, states, tomorrow, type State, type Studio } from './studio.ts';

let studio: Studio;
/** One replay in each status, for rejected transitions. */
const resting = new Map<State, string>();
beforeAll(async () => {
  studio = await openStudio();
  for (const state of states) resting.set(state, (await studio.inState[state]()).id);
});
afterAll(() => studio.close());

const outcomeOf = ({ status, body }: ApiResponse): unknown => (status === 200 ? body.status : body.code);
const everyState = (outcome: string, others: Partial<Record<State, string>> = {}): readonly string[] =>
  states.map((state) => others[state] ?? outcome);

const actors = ['owner', 'moderator', 'moderator of the owner', 'other', 'anonymous'] as const;
const clientFor = (actor: (typeof actors)[number]): Client => {
  const { owner, moderator, ownModerator, other, platform } = studio;
  return { owner, moderator, 'moderator of the owner': ownModerator, other, anonymous: platform.anonymous }[actor];
};

/** Verb → actor → outcome in each status. */
const outcomes: Readonly<Record<string, Readonly<Record<(typeof actors)[number], readonly string[]>>>> = {
  publish: {
    owner: everyState('invalid_transition', { DRAFT: 'PUBLISHED', HIDDEN: 'PUBLISHED', EXPIRED: 'validation_failed' }),
    moderator: everyState('invalid_transition', { REVIEW: 'PUBLISHED' }),
    'moderator of the owner': everyState('not_owner'),
    other: everyState('not_found', { PUBLISHED: 'not_owner' }),
    anonymous: everyState('api_key_missing'),
  },
  hide: {
    owner: everyState('invalid_transition', { PUBLISHED: 'HIDDEN', REVIEW: 'HIDDEN' }),
    moderator: everyState('insufficient_scope'),
    'moderator of the owner': everyState('insufficient_scope'),
    other: everyState('not_found', { PUBLISHED: 'not_owner' }),
    anonymous: everyState('api_key_missing'),
  },
  'take-down': {
    owner: everyState('insufficient_scope'),
    moderator: everyState('TAKEN_DOWN', { TAKEN_DOWN: 'invalid_transition' }),
    'moderator of the owner': everyState('not_owner'),
    other: everyState('insufficient_scope'),
    anonymous: everyState('api_key_missing'),
  },
};
const steps = Object.entries(outcomes).flatMap(([verb, byActor]) =>
  actors.flatMap((actor) => states.map((state, index) => ({ verb, actor, state, outcome: byActor[actor][index] ?? '?' }))),
);

const isState = (outcome: string): outcome is State => (states as readonly string[]).includes(outcome);
const take = (actor: (typeof actors)[number], verb: string, id: string): Promise<ApiResponse> =>
  clientFor(actor).post(path(id, verb), verb === 'take-down' ? { reason: 'Reported' } : undefined);

describe('a transition', () => {
  const taken = steps.filter(({ outcome }) => isState(outcome));
  test.each(taken)('$verb by the $actor from $state leads to $outcome', async ({ verb, actor, state, outcome }) => {
    const { id } = await studio.inState[state]();
    expect(outcomeOf(await take(actor, verb, id))).toBe(outcome);
    expect([await studio.statusFor(studio.owner, id), await studio.isShown(id)]).toEqual([outcome, outcome === 'PUBLISHED']);
  });

  test.each(states)('that is rejected does not change the replay: from %s', async (state) => {
    const id = resting.get(state) ?? '';
    const rejected = steps.filter((step) => step.state === state && !isState(step.outcome));
    const responses = await Promise.all(
      rejected.map(async ({ verb, actor, outcome }) => ({
        verb,
        actor,
        outcome,
        received: outcomeOf(await take(actor, verb, id)),
      })),
    );
    expect(responses.filter((each) => each.received !== each.outcome)).toEqual([]);
    expect([await studio.statusFor(studio.owner, id), await studio.isShown(id)]).toEqual([state, state === 'PUBLISHED']);
  });
});

describe('a replay of a match', () => {
  const film = (matchId: string, more: object = {}) =>
    studio.owner.post('/competitions/replays', {
      title: 'All of it',
      kind: 'FULL',
      url: 'https://video.example/2',
      matchId,
      ...more,
    });
  const play = async (owner: Client, facts: object = {}) => {
    const league = await playLeague(owner, ['Rot', 'Blau'], facts);
    const { status, body } = await owner.post('/competitions/matches', { seasonId: league.seasonId });
    expect({ status, body }).toMatchObject({ status: 201 });
    return { ...league, matchId: body.id as string };
  };

  test('is public when both the replay and its competition are published', async () => {
    const { competitionId, seasonId, matchId } = await play(studio.owner, { status: 'DRAFT' });
    const { body: early } = await film(matchId, { status: 'PUBLISHED', athleteId: studio.adult });
    const { body: draft } = await film(matchId);
    expect(early).toMatchObject({
      status: 'PUBLISHED',
      sport: 'FOOTBALL',
      match: { id: matchId },
      athlete: { id: studio.adult },
    });
    expect([await studio.isShown(early.id), await studio.isShown(draft.id)]).toEqual([false, false]);
    await studio.owner.post(path(early.id, 'hide'));
    expect((await studio.owner.post(path(early.id, 'publish'))).body.status).toBe('PUBLISHED');
    expect(await studio.isShown(early.id)).toBe(false);
    await studio.owner.post(`/competitions/${competitionId}/publish`);
    expect([await studio.isShown(early.id), await studio.isShown(draft.id)]).toEqual([true, false]);

    for (const filter of [`matchId=${matchId}`, `seasonId=${seasonId}`]) {
      expect(idsOf(await studio.platform.anonymous.get(`/competitions/replays?${filter}`))).toEqual([early.id]);
      expect(idsOf(await studio.owner.get(`/competitions/replays?mine=true&${filter}`))).toEqual([draft.id, early.id]);
    }
  });

  test('is read for many matches in one statement', async () => {
    const { seasonId, matchId } = await play(studio.owner);
    const { body: second } = await studio.owner.post('/competitions/matches', { seasonId });
    const films = await Promise.all([matchId, second.id].map((id) => film(id, { status: 'PUBLISHED' })));
    await film(matchId, { status: 'PUBLISHED', rights: { expiresAt: tomorrow() } });
    await studio.database.query(
      "update competitions.replay set expires_at = now() - interval '1 second' where expires_at is not null",
    );
    studio.platform.statements();
    const { body } = await studio.platform.anonymous.graphql(
      'query ($filter: MatchFilter) { matches(first: 5, filter: $filter) { nodes { id replays(first: 3) { nodes { id match { id } tags { id } } } } } }',
      { filter: { seasonId } },
    );
    const visible = body.data.matches.nodes.flatMap((match: { replays: { nodes: { id: string }[] } }) => match.replays.nodes);
    expect(visible.map(({ id }: { id: string }) => id).toSorted()).toEqual(films.map((response) => response.body.id).toSorted());
    const ran = studio.platform.statements().filter((name) => name.startsWith('replays.'));
    expect(ran.toSorted()).toEqual(['replays.ofMatches', 'replays.tags']);
  });

  test('is created by the account of the match, which cannot be deleted before the replay', async () => {
    const [foreign, hidden, own] = [
      await play(studio.other),
      await play(studio.other, { status: 'DRAFT' }),
      await play(studio.owner),
    ];
    expect((await film(foreign.matchId, { athleteId: studio.adult })).body).toMatchObject({ code: 'not_owner' });
    expect((await film(hidden.matchId)).body).toMatchObject({ errors: [{ pointer: '/matchId', code: 'unknown_match' }] });
    const { body: created } = await film(own.matchId);
    const match = `/competitions/matches/${own.matchId}`;
    expect((await studio.owner.delete(match, { 'if-match': '*' })).body).toMatchObject({ code: 'in_use' });
    await studio.owner.delete(path(created.id), { 'if-match': '*' });
    expect((await studio.owner.delete(match, { 'if-match': '*' })).status).toBeLessThan(300);
  });
});

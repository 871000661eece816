/** Every state of a replay, every action and everybody who may try it, through the public doors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../client.ts';
import { openStudio, path, states, type State, type Studio } from './studio.ts';

let studio: Studio;
/** One replay in each state, for what is refused. */
const resting = new Map<State, string>();
beforeAll(async () => {
  studio = await openStudio();
  for (const state of states) resting.set(state, (await studio.inState[state]()).id);
});
afterAll(() => studio.close());

const told = ({ status, body }: Answer): unknown => (status === 200 ? body.status : body.code);
const everyState = (outcome: string, others: Partial<Record<State, string>> = {}): readonly string[] =>
  states.map((state) => others[state] ?? outcome);

const actors = ['owner', 'moderator', 'moderator of the owner', 'other', 'anonymous'] as const;
const clientOf = (actor: (typeof actors)[number]): Client => {
  const { owner, moderator, ownModerator, other, world } = studio;
  return { owner, moderator, 'moderator of the owner': ownModerator, other, anonymous: world.anonymous }[actor];
};

/** Verb → actor → what comes of it in each state. */
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
const take = (actor: (typeof actors)[number], verb: string, id: string): Promise<Answer> =>
  clientOf(actor).post(path(id, verb), verb === 'take-down' ? { reason: 'Reported' } : undefined);

describe('a step', () => {
  const taken = steps.filter(({ outcome }) => isState(outcome));
  test.each(taken)('$verb by the $actor from $state leads to $outcome', async ({ verb, actor, state, outcome }) => {
    const { id } = await studio.inState[state]();
    expect(told(await take(actor, verb, id))).toBe(outcome);
    expect([await studio.statusFor(studio.owner, id), await studio.isShown(id)]).toEqual([outcome, outcome === 'PUBLISHED']);
  });

  test.each(states)('that nobody may take leaves a replay as it is: from %s', async (state) => {
    const id = resting.get(state) ?? '';
    const refused = steps.filter((step) => step.state === state && !isState(step.outcome));
    const answers = await Promise.all(
      refused.map(async ({ verb, actor, outcome }) => ({ verb, actor, outcome, told: told(await take(actor, verb, id)) })),
    );
    expect(answers.filter((each) => each.told !== each.outcome)).toEqual([]);
    expect([await studio.statusFor(studio.owner, id), await studio.isShown(id)]).toEqual([state, state === 'PUBLISHED']);
  });
});

/** Checks a transition table for every state, verb and actor. */
import { expect, test } from '@jest/globals';
import { Problem } from '../../../schema/errors.ts';
import { nextState, type Actor, type Transitions } from '../../../platform/writes/transition.ts';

const actors: readonly Actor[] = ['OWNER', 'COUNTERPART', 'MODERATOR', 'TIMER'];

/** `OWNER DRAFT publish PUBLISHED` and so on: the allowed transitions; every other combination must be rejected. */
export function testTransitionTable<State extends string, Verb extends string>(
  name: string,
  table: Transitions<State, Verb>,
  states: readonly State[],
  allowed: readonly string[],
): void {
  const verbs = Object.keys(table) as Verb[];
  const cases = actors.flatMap((actor) => states.flatMap((state) => verbs.map((verb) => ({ actor, state, verb }))));

  test(`${name}: only the listed transitions are allowed`, () => {
    const accepted = cases.flatMap(({ actor, state, verb }) => {
      try {
        return [`${actor} ${state} ${verb} ${nextState(table, verb, state, [actor])}`];
      } catch {
        return [];
      }
    });
    expect(accepted.toSorted()).toEqual([...allowed].toSorted());
  });

  test.each(cases)(`${name}: $actor $verb from $state is accepted, or rejected with its reason`, ({ actor, state, verb }) => {
    let violation: unknown = null;
    try {
      nextState(table, verb, state, [actor]);
    } catch (error) {
      violation = error;
    }
    const isAllowedActor = table[verb].actors.includes(actor);
    const possible = table[verb].from.includes(state);
    if (isAllowedActor && possible) return expect(violation).toBeNull();
    expect(violation).toBeInstanceOf(Problem);
    expect(violation).toMatchObject({ code: isAllowedActor ? 'invalid_transition' : 'not_owner' });
    if (isAllowedActor) expect((violation as Problem).extensions['allowedTransitions']).not.toContain(verb);
  });
}

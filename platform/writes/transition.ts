/** State machines as data: one table per resource, walked by one function. */
import { Problem } from '../../schema/errors.ts';

/** Who may take a step. */
export type Actor = 'OWNER' | 'COUNTERPART' | 'MODERATOR' | 'TIMER';

export interface Transition<State extends string> {
  readonly from: readonly State[];
  readonly to: State;
  readonly actors: readonly Actor[];
}

/** Action verb → step. */
export type Transitions<State extends string, Verb extends string> = Readonly<Record<Verb, Transition<State>>>;

/** The verbs that an actor may take from a state. */
export function allowedTransitions<State extends string, Verb extends string>(
  table: Transitions<State, Verb>,
  state: State,
  actors: readonly Actor[],
): Verb[] {
  return (Object.keys(table) as Verb[]).filter(
    (verb) => table[verb].from.includes(state) && table[verb].actors.some((actor) => actors.includes(actor)),
  );
}

/**
 * The state a verb leads to.
 * Throws Problem not_owner (403) when none of the actors may ever take the step, invalid_transition (409, with allowedTransitions)
 * when the state does not allow it.
 */
export function nextState<State extends string, Verb extends string>(
  table: Transitions<State, Verb>,
  verb: Verb,
  state: State,
  actors: readonly Actor[],
): State {
  const step = table[verb];
  if (!step.actors.some((actor) => actors.includes(actor))) {
    throw new Problem('not_owner', `Only ${step.actors.join(' or ').toLowerCase()} may ${verb} this resource.`);
  }
  if (!step.from.includes(state)) {
    throw new Problem('invalid_transition', `A resource in state ${state} cannot ${verb}.`, {
      state,
      allowedTransitions: allowedTransitions(table, state, actors),
    });
  }
  return step.to;
}

/** State machines as data: one transition table per resource and one function that applies it. */
import { keysOf } from '../../schema/records.ts';
import { Problem } from '../../schema/errors.ts';

/** The actors of transitions. */
export type Actor = 'OWNER' | 'COUNTERPART' | 'MODERATOR' | 'TIMER';

export interface Transition<State extends string> {
  readonly from: readonly State[];
  readonly to: State;
  readonly actors: readonly Actor[];
}

/** Action verb → transition. */
export type Transitions<State extends string, Verb extends string> = Readonly<Record<Verb, Transition<State>>>;

/** The verbs that the actors can perform in a state. */
export function allowedTransitions<State extends string, Verb extends string>(
  table: Transitions<State, Verb>,
  state: State,
  actors: readonly Actor[],
): Verb[] {
  return keysOf(table).filter(
    (verb) => table[verb].from.includes(state) && table[verb].actors.some((actor) => actors.includes(actor)),
  );
}

/**
 * The state after a transition.
 * Throws Problem not_owner (403) when none of the actors can ever perform it, invalid_transition (409, with allowedTransitions) when the
 * current state does not allow it.
 * @param name the display name of the resource, for verbs that are states
 */
export function nextState<State extends string, Verb extends string>(
  table: Transitions<State, Verb>,
  verb: Verb,
  state: State,
  actors: readonly Actor[],
  name = 'resource',
): State {
  const transition = table[verb];
  if (!transition.actors.some((actor) => actors.includes(actor))) {
    throw new Problem('not_owner', `Only the ${transition.actors.join(' or ').toLowerCase()} can ${verb} this resource.`);
  }
  if (!transition.from.includes(state)) {
    const allowed = allowedTransitions(table, state, actors);
    const to: string = transition.to;
    const detail = verb === to ? moveMessage(name, state, verb, allowed) : `You cannot ${verb} a resource in state ${state}.`;
    throw new Problem('invalid_transition', detail, { state, allowedTransitions: allowed });
  }
  return transition.to;
}

/** The message for a verb that is the name of the next state. */
function moveMessage(name: string, state: string, to: string, allowed: readonly string[]): string {
  const way = allowed.length === 0 ? `${state} is final.` : `Allowed: ${allowed.join(', ')}.`;
  return `A ${name} in stage ${state} cannot move to ${to}. ${way}`;
}

/** A transition that a create request skipped by naming a later state. */
export interface SkippedTransition {
  readonly action: string;
  readonly to: string;
}

/** The shortest sequence of owner transitions from one state to another; null if there is none. */
export function transitionsBetween(
  transitions: Transitions<string, string>,
  from: string,
  to: string,
): readonly SkippedTransition[] | null {
  const ways = new Map<string, readonly SkippedTransition[]>([[from, []]]);
  for (const [state, way] of ways) {
    if (state === to) return way;
    for (const [action, transition] of Object.entries(transitions)) {
      if (transition.from.includes(state) && transition.actors.includes('OWNER') && !ways.has(transition.to))
        ways.set(transition.to, [...way, { action, to: transition.to }]);
    }
  }
  return null;
}

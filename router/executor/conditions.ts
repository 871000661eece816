/** When @skip and @include let a selection be: decided once where it can be, and by variables otherwise. */
import { Kind } from 'graphql';
import type { DirectiveNode, OperationDefinitionNode } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** A variable, and the value that lets a selection be. */
export interface Literal {
  readonly variable: string;
  readonly wanted: boolean;
}

/** Literals that must all hold; none of them: always. */
export type Conjunction = readonly Literal[];

export const always: Conjunction = [];

/** Values of the variables that are not given; an executor is given coerced values, so only booleans matter here. */
export type Defaults = Readonly<Record<string, boolean>>;

/** The boolean defaults of an operation's variables. */
export function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Defaults {
  const defaults = variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue?.kind === Kind.BOOLEAN ? [[variable.name.value, defaultValue.value] as const] : [],
  );
  return Object.fromEntries(defaults);
}

/** `outer` and what the directives of a selection ask beside it; null when it can never be. */
export function narrowed(outer: Conjunction, directives: readonly DirectiveNode[] = []): Conjunction | null {
  const literals = [...outer];
  for (const { name, arguments: given } of directives) {
    const wanted = name.value === 'include';
    if (!wanted && name.value !== 'skip') continue;
    const condition = given?.find((argument) => argument.name.value === 'if')?.value;
    if (condition?.kind === Kind.BOOLEAN) {
      if (condition.value !== wanted) return null;
    } else if (condition?.kind === Kind.VARIABLE) {
      const variable = condition.name.value;
      const known = literals.find((literal) => literal.variable === variable);
      if (known === undefined) literals.push({ variable, wanted });
      else if (known.wanted !== wanted) return null;
    }
  }
  return literals;
}

export function holds(variable: string, variables: Variables, defaults: Defaults): boolean {
  const value = variables[variable] ?? defaults[variable];
  if (typeof value !== 'boolean') throw new Error(`$${variable} of a condition is no boolean.`);
  return value;
}

/** Whether one of the alternatives holds; null when that needs no asking. */
export function anyOf(alternatives: readonly Conjunction[], defaults: Defaults): ((variables: Variables) => boolean) | null {
  if (alternatives.some((conjunction) => conjunction.length === 0)) return null;
  return (variables) =>
    alternatives.some((conjunction) =>
      conjunction.every(({ variable, wanted }) => holds(variable, variables, defaults) === wanted),
    );
}

/** The @skip and @include conditions of an operation, which is planned and compiled separately for each set of their values. */
import { Kind, visit } from 'graphql';
import type { DirectiveNode, DocumentNode, OperationDefinitionNode } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** The values of the variables in conditions. */
export type Conditions = ReadonlyMap<string, boolean>;

export const noConditions: Conditions = new Map();

export type ConditionsOf = (variables: Variables) => Conditions;

export const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include';

const conditionOf = (directive: DirectiveNode) => directive.arguments?.find(({ name }) => name.value === 'if')?.value;

/** Reads the values of the condition variables; throws an Error when one is not a boolean. */
export function compileConditions(
  document: DocumentNode,
  { variableDefinitions = [] }: Pick<OperationDefinitionNode, 'variableDefinitions'>,
): ConditionsOf {
  const names = new Set<string>();
  visit(document, {
    Directive(directive) {
      const value = isCondition(directive) ? conditionOf(directive) : undefined;
      if (value?.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  // only variables of this operation: others belong to operations that are not run
  const own = variableDefinitions.flatMap(({ variable: { name }, defaultValue }) =>
    names.has(name.value) ? [[name.value, defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined] as const] : [],
  );
  if (own.length === 0) return () => noConditions;
  return (variables) => {
    const conditions = new Map<string, boolean>();
    for (const [name, fallback] of own) {
      const value = variables[name] ?? fallback;
      if (typeof value !== 'boolean') throw new Error(`The condition variable $${name} is not a boolean.`);
      conditions.set(name, value);
    }
    return conditions;
  };
}

/** A text that is equal for equal values: `01`. */
export const conditionsKey = (conditions: Conditions): string => [...conditions.values()].map(Number).join('');

/** Whether a selection with these directives is included; throws an Error for an unknown variable. */
export function isIncluded(directives: readonly DirectiveNode[] = [], conditions: Conditions): boolean {
  return directives.filter(isCondition).every((directive) => {
    const value = conditionOf(directive);
    const wanted = directive.name.value === 'include';
    if (value?.kind === Kind.BOOLEAN) return value.value === wanted;
    return value?.kind === Kind.VARIABLE && conditionValue(value.name.value, conditions) === wanted;
  });
}

function conditionValue(variable: string, conditions: Conditions): boolean {
  const value = conditions.get(variable);
  if (value === undefined) throw new Error(`The condition variable $${variable} has no value.`);
  return value;
}

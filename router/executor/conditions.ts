/** What @skip and @include leave of a selection, for given values of the variables they ask: an operation is compiled for each set of them. */
import { Kind, visit } from 'graphql';
import type { DirectiveNode, DocumentNode, OperationDefinitionNode } from 'graphql';

export type Variables = Readonly<Record<string, unknown>>;

/** The values of the variables that conditions ask. */
export type Conditions = ReadonlyMap<string, boolean>;

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include';

const conditionOf = (directive: DirectiveNode) => directive.arguments?.find(({ name }) => name.value === 'if')?.value;

/** Reads the values of the variables that the conditions of a document ask; throws an Error when one has none that is a boolean. */
export function compileConditions(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): (variables: Variables) => Conditions {
  const asked = new Set<string>();
  visit(document, {
    Directive(directive) {
      const value = isCondition(directive) ? conditionOf(directive) : undefined;
      if (value?.kind === Kind.VARIABLE) asked.add(value.name.value);
    },
  });
  // those of the operation's own: others of the document are not run
  const own = variableDefinitions.flatMap(({ variable: { name }, defaultValue }) =>
    asked.has(name.value) ? [[name.value, defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined] as const] : [],
  );
  return (variables) => {
    const conditions = new Map<string, boolean>();
    for (const [name, fallback] of own) {
      const value = variables[name] ?? fallback;
      if (typeof value !== 'boolean') throw new Error(`$${name} of a condition is no boolean.`);
      conditions.set(name, value);
    }
    return conditions;
  };
}

/** Whether a selection with these directives is asked for; throws an Error for a variable that is not known. */
export function isIncluded(directives: readonly DirectiveNode[] = [], conditions: Conditions): boolean {
  return directives.filter(isCondition).every((directive) => {
    const value = conditionOf(directive);
    const wanted = directive.name.value === 'include';
    if (value?.kind === Kind.BOOLEAN) return value.value === wanted;
    return value?.kind === Kind.VARIABLE && known(value.name.value, conditions) === wanted;
  });
}

export function known(variable: string, conditions: Conditions): boolean {
  const value = conditions.get(variable);
  if (value === undefined) throw new Error(`$${variable} of a condition is not known.`);
  return value;
}

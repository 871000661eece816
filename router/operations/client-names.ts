/** Names chosen by callers that the planner would take for its own: plans have others in their place, answers have them again. */
import { visit } from 'graphql';
import type { DocumentNode, NameNode, OperationDefinitionNode } from 'graphql';
import type { Execution } from '../executor/executor.ts';

/** An operation without such names, and the way back. */
export interface RenamedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Values of the caller's variables by the names they have in the document. */
  values(variables: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Data and errors in the caller's terms. */
  answer(execution: Execution): Execution;
}

/** The planner's own variable, and what vanishes in object literals. */
const ownVariables = new Set(['representations', '__proto__']);

/**
 * Every name in a field set (@key, @requires, @provides) of the supergraph. The planner fetches these fields under their names; an
 * alias of that name is left out of the plan, and what it fetched for itself, hidden or not, is answered in its place.
 */
export function fieldSetNames(supergraphSdl: string): ReadonlySet<string> {
  const sets = supergraphSdl.matchAll(/\b(?:key|requires|provides): "((?:[^"\\]|\\.)*)"/g);
  return new Set([...sets].flatMap(([, set = '']) => set.match(/[_A-Za-z]\w*/g) ?? []));
}

function renamedValue(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamedValue(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [names.get(key) ?? key, renamedValue(item, names)]));
}

/** Compiled once per valid document; null when it has no such names, as nearly all. `reserved` is fieldSetNames of the supergraph. */
export function renameClientNames(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  reserved: ReadonlySet<string>,
): RenamedOperation | null {
  const taken = new Set(reserved);
  const aliases = new Map<string, string>();
  const variables = new Map<string, string>();
  visit(document, {
    Name: ({ value }) => void taken.add(value),
    Field: ({ alias, name }) => {
      if (alias !== undefined && alias.value !== name.value && reserved.has(alias.value)) aliases.set(alias.value, '');
    },
    Variable: ({ name }) => {
      if (ownVariables.has(name.value)) variables.set(name.value, '');
    },
  });
  if (aliases.size === 0 && variables.size === 0) return null;

  function free(name: string): string {
    let other = `callers_${name}`;
    while (taken.has(other)) other += '_';
    taken.add(other);
    return other;
  }
  for (const name of aliases.keys()) aliases.set(name, free(name));
  for (const name of variables.keys()) variables.set(name, free(name));

  const other = (name: NameNode, names: ReadonlyMap<string, string>): NameNode => ({
    ...name,
    value: names.get(name.value) ?? name.value,
  });
  const at = document.definitions.indexOf(operation);
  const renamed: DocumentNode = visit(document, {
    Field: {
      leave: (node) =>
        node.alias === undefined || node.alias.value === node.name.value
          ? undefined
          : { ...node, alias: other(node.alias, aliases) },
    },
    Variable: { leave: (node) => ({ ...node, name: other(node.name, variables) }) },
  });
  const back = new Map([...aliases].map(([name, inPlan]) => [inPlan, name]));
  return {
    document: renamed,
    operation: renamed.definitions[at] as OperationDefinitionNode,
    values: (given) => Object.fromEntries(Object.entries(given).map(([name, value]) => [variables.get(name) ?? name, value])),
    answer: ({ data, errors, notes }) => ({
      data: renamedValue(data, back) as Execution['data'],
      errors: errors.map((error) =>
        error.path === undefined
          ? error
          : { ...error, path: error.path.map((step) => (typeof step === 'string' ? (back.get(step) ?? step) : step)) },
      ),
      notes,
    }),
  };
}

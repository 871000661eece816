/** Renames aliases and variables of a client that collide with names of the planner, and restores them in the response. */
import { Kind, visit } from 'graphql';
import type { DocumentNode, NameNode, OperationDefinitionNode } from 'graphql';
import type { AnnouncedPart, DeliveredPart, Execution, LaterParts } from '../executor/executor.ts';

/** An operation without colliding names, and the way originals. */
export interface RenamedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The client's variables under the names of the renamed document. */
  renameVariables(variables: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Data and errors with the client's names, also of later parts. */
  restoreNames(execution: Execution): Execution;
}

/** The planner's own variables, and a name that vanishes in object literals. */
const isOwnVariable = (name: string): boolean =>
  name === 'representations' || name === '__proto__' || name.startsWith('__batch_reps_');

/** The planner's own aliases, which its plans rename. */
const isOwnAlias = (name: string): boolean => name.startsWith('_internal_qp_alias_');

/**
 * Every name in a field set (@key, @requires, @provides) of the supergraph. The planner fetches these fields under their own names;
 * an alias with the same name would be dropped from the plan, and the planner's own value returned instead.
 */
export function fieldSetNames(supergraphSdl: string): ReadonlySet<string> {
  const sets = supergraphSdl.matchAll(/\b(?:key|requires|provides): "((?:[^"\\]|\\.)*)"/g);
  return new Set([...sets].flatMap(([, set = '']) => set.match(/[_A-Za-z]\w*/g) ?? []));
}

function restoreValue(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => restoreValue(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [names.get(key) ?? key, restoreValue(item, names)]));
}

/** Compiled once per valid document; null without collisions, which is usual. `reserved` is fieldSetNames of the supergraph. */
export function renameClientNames(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  reserved: ReadonlySet<string>,
): RenamedOperation | null {
  const taken = new Set(reserved);
  const aliases = new Map<string, string>();
  const variables = new Map<string, string>();
  const isReserved = (name: string): boolean => reserved.has(name) || isOwnAlias(name);
  visit(document, {
    Name: ({ value }) => void taken.add(value),
    Field: ({ alias, name }) => {
      if (alias !== undefined && alias.value !== name.value && isReserved(alias.value)) aliases.set(alias.value, '');
    },
    Variable: ({ name }) => {
      if (isOwnVariable(name.value)) variables.set(name.value, '');
    },
  });
  if (aliases.size === 0 && variables.size === 0) return null;

  function unusedName(name: string): string {
    let candidate = `client_${name}`;
    while (taken.has(candidate)) candidate += '_';
    taken.add(candidate);
    return candidate;
  }
  for (const name of aliases.keys()) aliases.set(name, unusedName(name));
  for (const name of variables.keys()) variables.set(name, unusedName(name));

  const renameNode = (name: NameNode, names: ReadonlyMap<string, string>): NameNode => ({
    ...name,
    value: names.get(name.value) ?? name.value,
  });
  const index = document.definitions.indexOf(operation);
  const renamed: DocumentNode = visit(document, {
    Field: {
      leave: (node) =>
        node.alias === undefined || node.alias.value === node.name.value
          ? undefined
          : { ...node, alias: renameNode(node.alias, aliases) },
    },
    Variable: { leave: (node) => ({ ...node, name: renameNode(node.name, variables) }) },
  });
  const originals = new Map([...aliases].map(([name, inPlan]) => [inPlan, name]));
  const found = renamed.definitions[index];
  if (found?.kind !== Kind.OPERATION_DEFINITION) throw new Error('renaming lost the operation');
  return {
    document: renamed,
    operation: found,
    renameVariables: (given) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [variables.get(name) ?? name, value])),
    restoreNames: ({ data, errors, notes, later }) => ({
      data: restoreData(data, originals),
      errors: restoreErrors(errors, originals),
      notes,
      ...(later === undefined ? {} : { later: restoreLater(later, originals) }),
    }),
  };
}

type Originals = ReadonlyMap<string, string>;
type Path = AnnouncedPart['path'];

const restorePath = (path: Path, originals: Originals): Path =>
  path.map((step) => (typeof step === 'string' ? (originals.get(step) ?? step) : step));

const restoreData = (data: Execution['data'], originals: Originals): Execution['data'] =>
  // Cast: restoring names preserves the shape of the data.
  restoreValue(data, originals) as Execution['data'];

const restoreErrors = (errors: Execution['errors'], originals: Originals): Execution['errors'] =>
  errors.map((error) => (error.path === undefined ? error : { ...error, path: restorePath(error.path, originals) }));

const restoreAnnounced = (parts: readonly AnnouncedPart[], originals: Originals): readonly AnnouncedPart[] =>
  parts.map((part) => ({ ...part, path: restorePath(part.path, originals) }));

function restoreDelivered({ result, errors, path, ...part }: DeliveredPart, originals: Originals): DeliveredPart {
  const restored: DeliveredPart['result'] =
    result.kind === 'DATA'
      ? { kind: 'DATA', data: restoreData(result.data, originals) }
      : { ...result, items: result.items?.map((item) => restoreValue(item, originals)) ?? null };
  return { ...part, path: restorePath(path, originals), result: restored, errors: restoreErrors(errors, originals) };
}

function restoreLater({ announced, batches, fetched }: LaterParts, originals: Originals): LaterParts {
  async function* restored(): LaterParts['batches'] {
    for await (const { delivered, announced: within, hasNext } of batches) {
      const parts = delivered.map((part) => restoreDelivered(part, originals));
      yield { delivered: parts, announced: restoreAnnounced(within, originals), hasNext };
    }
  }
  return { announced: restoreAnnounced(announced, originals), batches: restored(), fetched };
}

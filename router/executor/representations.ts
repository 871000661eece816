/** Representations of entities: what a fetch requires, read from the data so far (Apollo Federation, subgraph specification). */
import { isAbstractType, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../schema/records.ts';
import type { RequiredField, RequiredSelection } from '../planner/plan.ts';
import { merge, type Entity } from './data.ts';

/** The names of the types that satisfy a type condition, including interfaces (for @interfaceObject). */
export function namesWithin(supergraph: GraphQLSchema, condition: string): ReadonlySet<string> {
  const names = new Set([condition]);
  const type = supergraph.getType(condition);
  if (!isAbstractType(type)) return names;
  for (const [name, other] of Object.entries(supergraph.getTypeMap())) {
    if ((isObjectType(other) || isInterfaceType(other)) && supergraph.isSubType(type, other)) names.add(name);
  }
  return names;
}

type Read = (entity: Entity, into: Entity) => boolean;

function readField(supergraph: GraphQLSchema, { key, name, selections }: RequiredField): Read {
  if (selections === null) {
    return (entity, into) => {
      const value = entity[key];
      into[name] = value;
      return value !== undefined;
    };
  }
  const inner = compileSelections(supergraph, selections);
  const valueOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(valueOf);
    return isRecord(value) ? inner(value) : null;
  };
  return (entity, into) => {
    const value = entity[key];
    if (value === undefined) return false;
    into[name] = valueOf(value);
    return true;
  };
}

function readFragment(supergraph: GraphQLSchema, condition: string, selections: readonly RequiredSelection[]): Read {
  const names = namesWithin(supergraph, condition);
  const inner = compileSelections(supergraph, selections);
  return (entity, into) => {
    if (!names.has(String(entity['__typename']))) return true;
    // a fragment with a missing field adds nothing
    merge(into, inner(entity) ?? {});
    return true;
  };
}

function readLeaves(fields: readonly RequiredField[]): (entity: Entity) => Entity | null {
  return (entity) => {
    const into: Entity = {};
    for (const { key, name } of fields) {
      const value = entity[key];
      if (value === undefined) return null;
      into[name] = value;
    }
    return into;
  };
}

/** Compiles the reading of a selection from an entity; it returns null when a field is missing. */
export function compileSelections(
  supergraph: GraphQLSchema,
  selections: readonly RequiredSelection[],
): (entity: Entity) => Entity | null {
  // the common case: one entity type by its key
  const [only] = selections;
  if (selections.length === 1 && only?.kind === 'Fragment') {
    const names = namesWithin(supergraph, only.type);
    const inner = compileSelections(supergraph, only.selections);
    return (entity) => (names.has(String(entity['__typename'])) ? inner(entity) : null);
  }
  const leaves = selections.filter((selection) => selection.kind === 'Field').filter((field) => field.selections === null);
  if (leaves.length === selections.length) return readLeaves(leaves);
  const reads = selections.map((selection) =>
    selection.kind === 'Field'
      ? readField(supergraph, selection)
      : readFragment(supergraph, selection.type, selection.selections),
  );
  return (entity) => {
    const into: Entity = {};
    for (const read of reads) if (!read(entity, into)) return null;
    return into;
  };
}

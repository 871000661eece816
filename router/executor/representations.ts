/** Representations of entities: the `requires` of a fetch, read from the data so far (Apollo Federation, subgraph specification). */
import type { QueryPlanSelectionNode } from '@apollo/query-planner';
import { isAbstractType, isInterfaceType, isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../schema/records.ts';
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

function readField(supergraph: GraphQLSchema, name: string, selections: readonly QueryPlanSelectionNode[] | undefined): Read {
  if (selections === undefined) {
    return (entity, into) => {
      const value = entity[name];
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
    const value = entity[name];
    if (value === undefined) return false;
    into[name] = valueOf(value);
    return true;
  };
}

function readFragment(supergraph: GraphQLSchema, condition: string, selections: readonly QueryPlanSelectionNode[]): Read {
  const names = namesWithin(supergraph, condition);
  const inner = compileSelections(supergraph, selections);
  return (entity, into) => {
    if (!names.has(String(entity['__typename']))) return true;
    // a fragment with a missing field adds nothing
    merge(into, inner(entity) ?? {});
    return true;
  };
}

function readLeaves(keys: readonly string[]): (entity: Entity) => Entity | null {
  return (entity) => {
    const into: Entity = {};
    for (const key of keys) {
      const value = entity[key];
      if (value === undefined) return null;
      into[key] = value;
    }
    return into;
  };
}

/** Compiles the reading of a selection from an entity; it returns null when a field is missing. */
export function compileSelections(
  supergraph: GraphQLSchema,
  selections: readonly QueryPlanSelectionNode[],
): (entity: Entity) => Entity | null {
  // the common case: one entity type by its key
  const [only] = selections;
  if (selections.length === 1 && only?.kind === 'InlineFragment' && only.typeCondition !== undefined) {
    const names = namesWithin(supergraph, only.typeCondition);
    const inner = compileSelections(supergraph, only.selections);
    return (entity) => (names.has(String(entity['__typename'])) ? inner(entity) : null);
  }
  if (selections.every((selection) => selection.kind === 'Field' && selection.selections === undefined))
    return readLeaves(selections.map((selection) => (selection.kind === 'Field' ? (selection.alias ?? selection.name) : '')));
  const reads = selections.flatMap((selection): Read[] => {
    if (selection.kind === 'Field') return [readField(supergraph, selection.alias ?? selection.name, selection.selections)];
    const { typeCondition } = selection;
    return typeCondition === undefined ? [] : [readFragment(supergraph, typeCondition, selection.selections)];
  });
  return (entity) => {
    const into: Entity = {};
    for (const read of reads) if (!read(entity, into)) return null;
    return into;
  };
}

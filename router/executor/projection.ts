/**
 * The projection of an operation: builds the response from the fetched data with GraphQL value completion (specification, section 6.4.3):
 * the client's aliases and fragments, only types and values of the client's schema, and null propagation. Compiled once per operation;
 * the fields of a type are compiled when its first object is completed.
 */
import { executeSync, getNamedType, isCompositeType, isEnumType, isListType, isNonNullType, isObjectType, Kind } from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  GraphQLCompositeType,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { fieldDefinition, fragmentsOf } from '../operations/document-types.ts';
import type { Fragments } from '../operations/document-types.ts';
import { createCollectFields } from './collect-fields.ts';
import {
  broken,
  checked,
  fill,
  firstItems,
  hidden,
  leaf,
  list,
  orNull,
  remember,
  report,
  type Complete,
  type FieldOf,
  type Frame,
} from './completion.ts';
import type { Conditions, Variables } from '../operations/conditions.ts';
import type { ActiveStream } from '../operations/incremental-directives.ts';
import type { Entity, ResponsePath } from './data.ts';
import type { ExecutionError } from './execution-error.ts';
import type { ResponsePart } from './response-parts.ts';

const leafChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isSafeInteger(value),
  Float: (value) => typeof value === 'number' && Number.isFinite(value),
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isSafeInteger(value),
};

/** The results of the fetches. */
export interface FetchedData {
  readonly data: Entity;
  readonly variables: Variables;
  readonly absent: ReadonlySet<Entity>;
  readonly hasSharedObjects: boolean;
}

export type Project = (fetched: FetchedData) => {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly ExecutionError[];
};

/** The client's operation, valid against the client's schema, under these conditions. */
export interface SelectedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly conditions: Conditions;
  /** Lists of which only the first items are completed; default: none. */
  readonly streams?: ReadonlyMap<FieldNode, ActiveStream> | undefined;
}

/** The type that an object reports, if the schema has it; an abstract type has no objects. */
function typeNameOf(schema: GraphQLSchema, object: Entity, key: string, type: GraphQLCompositeType, frame: Frame): unknown {
  const reported = object[key] ?? object['__typename'];
  const known = typeof reported === 'string' ? (schema.getType(reported) ?? type) : type;
  if (isObjectType(known)) return known.name;
  report(frame, `The type of the ${type.name} is unknown.`);
  return broken;
}

/** Executes an introspection field on the client's schema itself. */
function compileIntrospection(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  field: FieldNode,
): FieldOf['given'] {
  const introspection: OperationDefinitionNode = {
    kind: Kind.OPERATION_DEFINITION,
    operation: operation.operation,
    variableDefinitions: [...(operation.variableDefinitions ?? [])],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [{ ...field, directives: [] }] },
  };
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [introspection, ...fragments.values()] };
  return (_, { variables }) => {
    const { data } = executeSync({ schema, document, rootValue: {}, variableValues: variables });
    return data?.[(field.alias ?? field.name).value] ?? null;
  };
}

function nonNull(complete: Complete, what: string): Complete {
  return (value, frame) => {
    const completed = complete(value, frame);
    if (completed === null) {
      report(frame, `Cannot return null for non-nullable ${what}.`);
      return broken;
    }
    // the error of the missing member stays: this position is not nullable
    return completed === hidden ? broken : completed;
  };
}

/** The functions that complete the values of a selected operation. */
function createCompletion({ schema, document, operation, conditions, streams }: SelectedOperation) {
  const fragments = fragmentsOf(document);
  const collectFields = createCollectFields(schema, fragments, conditions);

  function fieldsOf(sources: readonly SelectionSetNode[], type: GraphQLCompositeType): FieldOf[] {
    return [...collectFields(sources, type)].flatMap(([key, fields]): FieldOf[] => {
      const [field] = fields;
      if (field === undefined) return [];
      const name = field.name.value;
      if (name === '__typename')
        return [{ key, complete: leaf, given: (object, frame) => typeNameOf(schema, object, key, type, frame) }];
      if (name === '__schema' || name === '__type')
        return [{ key, complete: leaf, given: compileIntrospection(schema, operation, fragments, field) }];
      const definition = fieldDefinition(type, name);
      if (definition === undefined) throw new Error(`${type.name} has no field ${name}.`);
      const inner = fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
      const complete = completion(definition.type, inner, `field ${type.name}.${name}`);
      const stream = streams?.get(field);
      return [{ key, complete: stream === undefined ? complete : firstItems(complete, stream.initialCount), given: null }];
    });
  }

  function completion(type: GraphQLOutputType, sources: readonly SelectionSetNode[], what: string): Complete {
    return isNonNullType(type) ? nonNull(nullable(type.ofType, sources, what), what) : orNull(nullable(type, sources, what));
  }

  /** Completes without deciding nullability: returns null, `broken` or `hidden` for a missing value. */
  function nullable(type: GraphQLOutputType, sources: readonly SelectionSetNode[], what: string): Complete {
    if (isListType(type)) return list(completion(type.ofType, sources, `array element of type ${String(getNamedType(type))}`));
    if (isCompositeType(type)) return object(type, sources, what);
    if (isEnumType(type)) {
      const values = new Set<unknown>(type.getValues().map(({ name }) => name));
      return checked((value) => values.has(value), what);
    }
    const check = 'name' in type ? leafChecks[type.name] : undefined;
    return check === undefined ? leaf : checked(check, what);
  }

  function object(type: GraphQLCompositeType, sources: readonly SelectionSetNode[], what: string): Complete {
    const byType = new Map<unknown, readonly FieldOf[]>();
    const fieldsFor = (name: unknown): readonly FieldOf[] | null => {
      const reported = name === undefined ? type : typeof name === 'string' ? schema.getType(name) : undefined;
      if (!isCompositeType(reported)) return null;
      const fields = fieldsOf(sources, reported);
      byType.set(name, fields);
      return fields;
    };
    const complete: Complete = (value, frame) => {
      if (value === null || value === undefined) return null;
      // Cast: areas return objects for composite types. A scalar has no members, which reports the missing ones
      const given = value as Entity;
      const known = frame.shared?.get(complete)?.get(given);
      if (known !== undefined) return known;
      const name = given['__typename'];
      const fields = byType.get(name) ?? fieldsFor(name);
      if (fields === null) {
        report(frame, `Invalid __typename found for object at ${what}.`);
        return broken;
      }
      const errorsBefore = frame.errors.length;
      const completed = fill(given, fields, frame);
      // not cached with errors inside: they are reported at each place
      if (frame.shared !== null && frame.errors.length === errorsBefore) remember(frame.shared, complete, given, completed);
      return completed;
    };
    return complete;
  }

  return { fieldsOf, completion, nullable };
}

/** Compiles the projection of an operation. */
export function compileProjection(selected: SelectedOperation): Project {
  const { schema, operation } = selected;
  const root = schema.getRootType(operation.operation);
  if (root === undefined || root === null) throw new Error(`The schema does not support ${operation.operation} operations.`);
  const rootFields = createCompletion(selected).fieldsOf([operation.selectionSet], root);
  return ({ data, variables, absent, hasSharedObjects }) => {
    const frame: Frame = { variables, errors: [], path: [], absent, shared: hasSharedObjects ? new Map() : null };
    const completed = fill(data, rootFields, frame);
    return {
      // Cast: fill returns an object unless it returns one of the symbols.
      data: completed === broken || completed === hidden ? null : (completed as Record<string, unknown>),
      errors: frame.errors,
    };
  };
}

/** The fetched objects or items of a part, and their response path: that of the object, or of the list. */
export interface PartValues {
  readonly values: readonly unknown[];
  readonly path: ResponsePath;
  /** Index of the first item; null for an object. */
  readonly from: number | null;
}

/** Completes the values of a part; `completed` is null when a non-null value is missing. Errors have paths from the root of the response. */
export type ProjectPart = (
  fetched: Omit<FetchedData, 'data'>,
  part: PartValues,
) => { readonly completed: readonly unknown[] | null; readonly errors: readonly ExecutionError[] };

/** Compiles the projection of a part that is not the first. */
export function compilePartProjection(selected: SelectedOperation, { kind, type, selectionSet }: ResponsePart): ProjectPart {
  const { completion, nullable } = createCompletion(selected);
  const complete =
    kind === 'STREAM'
      ? completion(type, [selectionSet], `array element of type ${String(getNamedType(type))}`)
      : nullable(type, [selectionSet], 'fragment');
  return ({ variables, absent, hasSharedObjects }, { values, path, from }) => {
    const frame: Frame = { variables, errors: [], path: [...path], absent, shared: hasSharedObjects ? new Map() : null };
    const completed = values.map((value, index) => {
      if (from !== null) frame.path.splice(path.length, 1, from + index);
      return complete(value, frame);
    });
    return {
      completed: completed.some((value) => value === broken || value === hidden) ? null : completed,
      errors: frame.errors,
    };
  };
}

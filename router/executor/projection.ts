/**
 * The projection of an operation: makes the answer of what the fetches brought, as GraphQL completes values (specification, section
 * 6.4.3): the client's aliases and fragments, only types and values his schema knows, null where a value is missing, up to the nearest
 * place that may be null. Compiled once per operation; the fields of a type when an object of it is first met.
 */
import {
  executeSync,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isCompositeType,
  Kind,
} from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  FragmentDefinitionNode,
  GraphQLCompositeType,
  GraphQLOutputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { isIncluded, type Conditions, type Variables } from './conditions.ts';
import {
  broken,
  checked,
  fill,
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
import type { Entity } from './data.ts';
import type { ExecutionError } from './execution-error.ts';

const leafChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  Boolean: (value) => typeof value === 'boolean',
  Int: (value) => Number.isSafeInteger(value),
  Float: (value) => typeof value === 'number' && Number.isFinite(value),
  String: (value) => typeof value === 'string',
  ID: (value) => typeof value === 'string' || Number.isSafeInteger(value),
};

/** What a projection is given of an execution. */
export interface FetchedData {
  readonly data: Entity;
  readonly variables: Variables;
  readonly absent: ReadonlySet<Entity>;
  readonly shares: boolean;
}

export type Project = (brought: FetchedData) => {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly ExecutionError[];
};

/** What the client asks, valid against the schema he sees, where these conditions hold. */
export interface SelectedOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly conditions: Conditions;
}

/** Compiles the projection of an operation. */
export function compileProjection({ schema, document, operation, conditions }: SelectedOperation): Project {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  function applies(condition: string | undefined, type: GraphQLCompositeType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wanted = schema.getType(condition);
    return isAbstractType(wanted) && (isObjectType(type) || isInterfaceType(type)) && schema.isSubType(wanted, type);
  }

  /** The fields of an object of this type, in the order of the operation (specification, CollectFields). */
  function collect(
    sources: readonly SelectionSetNode[],
    type: GraphQLCompositeType,
    into = new Map<string, FieldNode[]>(),
  ): Map<string, FieldNode[]> {
    for (const { selections } of sources) {
      for (const selection of selections) {
        if (!isIncluded(selection.directives, conditions)) continue;
        if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value;
          into.set(key, [...(into.get(key) ?? []), selection]);
          continue;
        }
        const body = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
        if (body !== undefined && applies(body.typeCondition?.name.value, type)) collect([body.selectionSet], type, into);
      }
    }
    return into;
  }

  function fieldsOf(sources: readonly SelectionSetNode[], type: GraphQLCompositeType): FieldOf[] {
    return [...collect(sources, type)].flatMap(([key, fields]): FieldOf[] => {
      const [field] = fields;
      if (field === undefined) return [];
      const name = field.name.value;
      if (name === '__typename') return [{ key, complete: leaf, given: (object) => typeOf(object, key, type) }];
      if (name === '__schema' || name === '__type') return [{ key, complete: leaf, given: introspection(field) }];
      const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
      if (definition === undefined) throw new Error(`${type.name} has no field ${name}.`);
      const inner = fields.flatMap(({ selectionSet }) => (selectionSet === undefined ? [] : [selectionSet]));
      return [{ key, complete: completion(definition.type, inner, `field ${type.name}.${name}`), given: null }];
    });
  }

  /** The type an object says it has, as the reader's schema knows it; an object of a type that is no object has no name. */
  function typeOf(object: Entity, key: string, type: GraphQLCompositeType): unknown {
    const said = object[key] ?? object['__typename'];
    const known = typeof said === 'string' ? (schema.getType(said) ?? type) : type;
    return isObjectType(known) ? known.name : broken;
  }

  /** Asked of the reader's schema itself; what needs no variable is the same each time. */
  function introspection(field: FieldNode): FieldOf['given'] {
    const asked: OperationDefinitionNode = {
      kind: Kind.OPERATION_DEFINITION,
      operation: operation.operation,
      variableDefinitions: [...(operation.variableDefinitions ?? [])],
      selectionSet: { kind: Kind.SELECTION_SET, selections: [{ ...field, directives: [] }] },
    };
    const text: DocumentNode = { kind: Kind.DOCUMENT, definitions: [asked, ...fragments.values()] };
    return (_, { variables }) => {
      const { data } = executeSync({ schema, document: text, rootValue: {}, variableValues: variables });
      return data?.[(field.alias ?? field.name).value] ?? null;
    };
  }

  function completion(type: GraphQLOutputType, sources: readonly SelectionSetNode[], what: string): Complete {
    if (!isNonNullType(type)) return orNull(bare(type, sources, what));
    const inner = bare(type.ofType, sources, what);
    return (value, frame) => {
      const completed = inner(value, frame);
      if (completed === null) {
        report(frame, `Cannot return null for non-nullable ${what}.`);
        return broken;
      }
      // the fault of the missing member stays: where it leads to is not for null
      return completed === hidden ? broken : completed;
    };
  }

  /** Of a type whose null is decided around it: null, `broken` or `hidden` are told. */
  function bare(type: GraphQLOutputType, sources: readonly SelectionSetNode[], what: string): Complete {
    if (isListType(type)) return list(completion(type.ofType, sources, `array element of type ${String(getNamedType(type))}`));
    if (isCompositeType(type)) return object(type, sources, what);
    if (isEnumType(type)) {
      const values = new Set(type.getValues().map(({ name }) => name));
      return checked((value) => values.has(value as string), what);
    }
    const check = 'name' in type ? leafChecks[type.name] : undefined;
    return check === undefined ? leaf : checked(check, what);
  }

  function object(type: GraphQLCompositeType, sources: readonly SelectionSetNode[], what: string): Complete {
    const byType = new Map<unknown, readonly FieldOf[]>();
    const fieldsFor = (name: unknown): readonly FieldOf[] | null => {
      const said = name === undefined ? type : typeof name === 'string' ? schema.getType(name) : undefined;
      if (!isCompositeType(said)) return null;
      const fields = fieldsOf(sources, said);
      byType.set(name, fields);
      return fields;
    };
    const complete: Complete = (value, frame) => {
      if (value === null || value === undefined) return null;
      const given = value as Entity;
      const known = frame.shared?.get(complete)?.get(given);
      if (known !== undefined) return known;
      const name = given['__typename'];
      const fields = byType.get(name) ?? fieldsFor(name);
      if (fields === null) {
        report(frame, `Invalid __typename found for object at ${what}.`);
        return broken;
      }
      const faults = frame.errors.length;
      const completed = fill(given, fields, frame);
      // with a fault inside, each place is to be told of it
      if (frame.shared !== null && frame.errors.length === faults) remember(frame.shared, complete, given, completed);
      return completed;
    };
    return complete;
  }

  function project({ data, variables, absent, shares }: FetchedData): ReturnType<Project> {
    const frame: Frame = { variables, errors: [], path: [], absent, shared: shares ? new Map() : null };
    const completed = fill(data, rootFields, frame);
    return {
      data: completed === broken || completed === hidden ? null : (completed as Record<string, unknown>),
      errors: frame.errors,
    };
  }

  const root = schema.getRootType(operation.operation);
  if (root === undefined || root === null) throw new Error(`The schema has no ${operation.operation}.`);
  const rootFields = fieldsOf([operation.selectionSet], root);
  return project;
}

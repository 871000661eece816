/** Compiles the queries of an area with graphql-jit, once per text. Documents that graphql-jit executes differently run on graphql-js. */
import {
  getNamedType,
  isAbstractType,
  isInputObjectType,
  isNonNullType,
  Kind,
  OperationTypeNode,
  parse,
  TypeInfo,
  validate,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type {
  ASTNode,
  DirectiveNode,
  DocumentNode,
  ExecutionResult,
  FieldNode,
  GraphQLError,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  VariableNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import { fieldsOf } from '../../schema/document-size.ts';
import { compileLeafCheck } from './leaf-types.ts';

type Variables = Readonly<Record<string, unknown>>;
type Run = (root: unknown, context: unknown, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;

/** A compiled query, and whether its data has the types of the schema: graphql-jit copies leaves unchecked. */
interface Compiled {
  readonly run: Run;
  readonly hasLeafTypes: (data: unknown) => boolean;
}

export interface QueryText {
  readonly query: string;
  readonly variables: Variables;
  readonly operationName: string | null;
}

export interface CompiledQueries {
  /**
   * The response to a query. Null when graphql-js must execute it: for a text received for the first time (it may never come again),
   * for a text that is not compiled, for invalid variables, and when a resolver returned a leaf of another type, which graphql-js
   * converts or reports: its resolvers are called again.
   */
  run(text: QueryText, context: object): Promise<ExecutionResult | null>;
}

/** A text with its compiled queries, one for each combination of conditions. */
interface Prepared {
  /** Unique in this process. */
  readonly name: string;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  /** Variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
  /** Default values of variables: graphql-jit ignores those of NonNull variables. */
  readonly defaults: Variables;
  /** Fields of the document; each use of a fragment counts. */
  readonly size: number;
}

/** Texts come from the router's query plans: few texts, repeated often. */
const maxTexts = 1_000;
/** Characters of stored texts, and fields of compiled queries (about 450 bytes each). */
const kept = { characters: 2_000_000, fields: 40_000 };

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include';

/** Whether an input type contains itself: compiling it would not terminate. */
function isRecursive(type: GraphQLInputType, outer: readonly GraphQLInputType[] = []): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return false;
  if (outer.includes(named)) return true;
  return Object.values(named.getFields()).some((field) => isRecursive(field.type, [...outer, named]));
}

/**
 * Whether graphql-jit executes a valid document as graphql-js does. Exceptions: mutations; introspection; abstract types whose objects
 * have no type name; response keys that JavaScript objects already have; recursive input types, which never finish compiling.
 * graphql-jit also turns an absent variable inside an input object into null. Filters treat null as absent, but defaults would be lost,
 * null would be passed for NonNull members, and scalars written as objects would lose their variables.
 */
function suits(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): boolean {
  if (operation.operation !== OperationTypeNode.QUERY) return false;
  const nullable = new Set(
    (operation.variableDefinitions ?? [])
      .filter(({ type }) => type.kind !== Kind.NON_NULL_TYPE)
      .map(({ variable }) => variable.name.value),
  );
  let suited = true;
  const types = new TypeInfo(schema);
  const look = {
    Field({ name, alias }: FieldNode): void {
      const introspects = name.value === '__schema' || name.value === '__type';
      if (introspects || alias?.value.startsWith('__')) suited = false;
    },
    VariableDefinition(): void {
      const type = types.getInputType();
      if (!type || isRecursive(type)) suited = false;
    },
    SelectionSet(): void {
      const type = types.getParentType();
      if (isAbstractType(type) && type.name !== '_Entity') suited = false;
    },
    Variable({ name }: VariableNode, _key: unknown, parent: ASTNode | readonly ASTNode[] | undefined): void {
      const isItem = Array.isArray(parent);
      const isNested = isItem || (parent && 'kind' in parent && parent.kind === Kind.OBJECT_FIELD);
      if (!isNested || !nullable.has(name.value)) return;
      const type = types.getInputType();
      if (isItem || !type || isNonNullType(type) || types.getDefaultValue() !== undefined) suited = false;
    },
  };
  visit(document, visitWithTypeInfo(types, look));
  return suited;
}

function conditionsOf(document: DocumentNode): readonly string[] {
  const conditions = new Set<string>();
  visit(document, {
    Directive(directive) {
      const value = directive.arguments?.[0]?.value;
      if (isCondition(directive) && value?.kind === Kind.VARIABLE) conditions.add(value.name.value);
    },
  });
  return [...conditions];
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Variables {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)]],
    ),
  );
}

/** The document with its conditions resolved: graphql-jit confuses the conditions of fragments that are used more than once. */
function decided(document: DocumentNode, variables: Variables): DocumentNode {
  const isWanted = (directive: DirectiveNode): boolean => {
    const value = directive.arguments?.[0]?.value;
    const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : value?.kind === Kind.BOOLEAN && value.value;
    return given === (directive.name.value === 'include');
  };
  const enter = <Node extends SelectionNode>(node: Node): Node | null | undefined => {
    const conditions = node.directives?.filter(isCondition) ?? [];
    if (conditions.length === 0) return undefined;
    if (!conditions.every(isWanted)) return null;
    return { ...node, directives: node.directives?.filter((directive) => !isCondition(directive)) };
  };
  return visit(document, { Field: { enter }, InlineFragment: { enter }, FragmentSpread: { enter } });
}

/** One error per value that became null, as in graphql-js. graphql-jit reports every error below it. */
function oneForEachNull(data: unknown, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const reported = new Set<string>();
  return errors.filter(({ path = [] }) => {
    let value = data;
    const place: (string | number)[] = [];
    for (const key of path) {
      if (value === null || value === undefined) break;
      place.push(key);
      // Cast: the path of an error leads through objects and lists.
      value = (value as Record<string | number, unknown>)[key];
    }
    const key = place.join('.');
    return !reported.has(key) && reported.add(key);
  });
}

export function createCompiledQueries(schema: GraphQLSchema): CompiledQueries {
  const texts = new LRUCache<string, 'seen' | 'not compiled' | Prepared>({
    max: maxTexts,
    maxSize: kept.characters,
    sizeCalculation: (_, text) => text.length + 1,
  });
  let prepares = 0;
  // one per combination of conditions
  const functions = new LRUCache<string, { readonly made: Compiled | null }>({ maxSize: kept.fields });

  function prepare(text: string): Prepared | 'not compiled' {
    const document = parse(text, { noLocation: true });
    const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const [operation] = operations;
    if (operation === undefined || operations.length > 1 || !suits(schema, document, operation)) return 'not compiled';
    // the router may run another version of the area's schema
    if (validate(schema, document).length > 0) return 'not compiled';
    return {
      document,
      operationName: operation.name?.value ?? null,
      conditions: conditionsOf(document),
      defaults: defaultsOf(operation),
      name: String(prepares++),
      size: fieldsOf(document),
    };
  }

  /** Null for a text that is received for the first time, or is not compiled. */
  function preparedOf(text: string): Prepared | null {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, 'seen');
    if (known === undefined || known === 'not compiled') return null;
    const prepared = known === 'seen' ? prepare(text) : known;
    if (prepared !== known) texts.set(text, prepared);
    return prepared === 'not compiled' ? null : prepared;
  }

  /** The compiled query for these conditions; null when a condition is not a boolean. */
  function functionOf({ name, document, conditions, size }: Prepared, variables: Variables): Compiled | null {
    const values = conditions.map((name) => variables[name]);
    if (!values.every((value) => typeof value === 'boolean')) return null;
    const key = `${name} ${values.map(Number).join('')}`;
    const known = functions.get(key);
    if (known !== undefined) return known.made;
    const wanted = decided(document, variables);
    const compiled = compileQuery(schema, wanted, '', { disableLeafSerialization: true });
    const made = isCompiledQuery(compiled) ? { run: compiled.query, hasLeafTypes: compileLeafCheck(schema, wanted) } : null;
    functions.set(key, { made }, { size });
    return made;
  }

  return {
    async run({ query, variables, operationName }, context) {
      const prepared = preparedOf(query);
      if (prepared === null || (operationName ?? prepared.operationName) !== prepared.operationName) return null;
      const given = { ...prepared.defaults, ...variables };
      const compiled = functionOf(prepared, given);
      if (compiled === null) return null;
      const result = await compiled.run(undefined, context, given);
      if (result.data === undefined || (result.data === null && result.errors === undefined)) return null;
      if (result.data !== null && !compiled.hasLeafTypes(result.data)) return null;
      if (result.errors === undefined) return result;
      return { data: result.data, errors: oneForEachNull(result.data, result.errors) };
    },
  };
}

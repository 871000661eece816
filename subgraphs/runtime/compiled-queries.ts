/** Queries of an area as functions made once for each text; what graphql-jit does not do as graphql-js does is left to graphql-js. */
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

type Variables = Readonly<Record<string, unknown>>;
type Run = (root: unknown, context: unknown, variables: Variables) => Promise<ExecutionResult> | ExecutionResult;

export interface QueryText {
  readonly query: string;
  readonly variables: Variables;
  readonly operationName: string | null;
}

export interface CompiledQueries {
  /**
   * The answer to a query; null when graphql-js is to give it: to a text that was never here before (and may never come again), to
   * one that is not compiled, and to variables that do not fit. No resolver was called then.
   */
  run(text: QueryText, context: object): Promise<ExecutionResult | null>;
}

/** A text whose queries are compiled, once for each combination of what its conditions are. */
interface Prepared {
  /** Its own in this process. */
  readonly name: string;
  readonly document: DocumentNode;
  readonly operationName: string | null;
  /** Variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
  /** What variables are when they are not given: graphql-jit forgets those of variables that must not be null. */
  readonly defaults: Variables;
  /** Fields of the document, every use of a fragment counted. */
  readonly size: number;
}

/** Texts come from the router's plans: few, and again and again. */
const maxTexts = 1_000;
/** Characters of texts that are remembered, and fields of what is kept compiled (some 450 bytes each). */
const kept = { characters: 2_000_000, fields: 40_000 };

const isCondition = ({ name }: DirectiveNode): boolean => name.value === 'skip' || name.value === 'include';

/** Whether an input type is a member of itself: the function for a value of it would have no end. */
function isRecursive(type: GraphQLInputType, outer: readonly GraphQLInputType[] = []): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return false;
  if (outer.includes(named)) return true;
  return Object.values(named.getFields()).some((field) => isRecursive(field.type, [...outer, named]));
}

/**
 * Whether graphql-jit answers a valid document as graphql-js does. It does not: mutations; introspection, which areas are not asked for;
 * an abstract type whose object tells no type (it would answer nothing at all); keys that JavaScript objects have for themselves.
 * It makes `null` of an absent variable inside an input object: filters take null as absent, but a default would be lost, null would
 * stand where it must not, and a scalar written as an object would lose its variables. It never ends with a recursive input type.
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
      const isNested = isItem || (parent as ASTNode).kind === Kind.OBJECT_FIELD;
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

/** The document where its conditions are decided: graphql-jit mixes up those of fragments that are used in several places. */
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

/** One error for each place that became null, as graphql-js tells it: graphql-jit tells every error beneath it. */
function oneForEachNull(data: unknown, errors: readonly GraphQLError[]): readonly GraphQLError[] {
  const told = new Set<string>();
  return errors.filter(({ path = [] }) => {
    let value = data;
    const place: (string | number)[] = [];
    for (const key of path) {
      if (value === null || value === undefined) break;
      place.push(key);
      value = (value as Record<string | number, unknown>)[key];
    }
    const key = place.join('.');
    return !told.has(key) && told.add(key);
  });
}

export function createCompiledQueries(schema: GraphQLSchema): CompiledQueries {
  const texts = new LRUCache<string, 'seen' | 'not compiled' | Prepared>({
    max: maxTexts,
    maxSize: kept.characters,
    sizeCalculation: (_, text) => text.length + 1,
  });
  let prepares = 0;
  // one for each combination of conditions
  const functions = new LRUCache<string, { readonly run: Run | null }>({ maxSize: kept.fields });

  function prepare(text: string): Prepared | 'not compiled' {
    const document = parse(text, { noLocation: true });
    const operations = document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
    const [operation] = operations;
    if (operation === undefined || operations.length > 1 || !suits(schema, document, operation)) return 'not compiled';
    // the router may have been started with another version of the area's schema
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

  /** The function for these conditions; null when one of them is neither true nor false. */
  function functionOf({ name, document, conditions, size }: Prepared, variables: Variables): Run | null {
    const values = conditions.map((name) => variables[name]);
    if (!values.every((value) => typeof value === 'boolean')) return null;
    const key = `${name} ${values.map(Number).join('')}`;
    const known = functions.get(key);
    if (known !== undefined) return known.run;
    const compiled = compileQuery(schema, decided(document, variables));
    const run = isCompiledQuery(compiled) ? compiled.query : null;
    functions.set(key, { run }, { size });
    return run;
  }

  return {
    async run({ query, variables, operationName }, context) {
      const known = texts.get(query);
      if (known === undefined) texts.set(query, 'seen');
      if (known === undefined || known === 'not compiled') return null;
      const prepared = known === 'seen' ? prepare(query) : known;
      if (prepared !== known) texts.set(query, prepared);
      if (prepared === 'not compiled' || (operationName ?? prepared.operationName) !== prepared.operationName) return null;
      const given = { ...prepared.defaults, ...variables };
      const result = await functionOf(prepared, given)?.(undefined, context, given);
      if (result === undefined || result.data === undefined || result.errors === undefined) return result?.data ? result : null;
      return { data: result.data, errors: oneForEachNull(result.data, result.errors) };
    },
  };
}

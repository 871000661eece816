/** Prints the schema of an audience from the supergraph: without federation directives and without elements tagged for others. */
import { Kind, parse, print, visit } from 'graphql';
import type { ConstDirectiveNode, DefinitionNode, DirectiveDefinitionNode, DirectiveNode, DocumentNode, TypeNode } from 'graphql';
import { boundDirectives } from './common.ts';
import { incrementalDirectives } from './incremental-directives.ts';

/**
 * The audiences, with the tags that each schema shows. An element without tags is in all schemas, and a tagged one only in those that show
 * one of its tags: a field for administrators is not in the portal unless it has the tag `portal` too.
 */
const audiences = {
  api: [],
  admin: ['admin'],
  portal: ['portal'],
  internal: ['admin', 'portal', 'internal'],
} as const satisfies Record<string, readonly string[]>;

export type Audience = keyof typeof audiences;

const rights = ['authenticated', 'requiresScopes'];
const visibleDirectives = new Set<string>([...boundDirectives, ...rights, 'cost', 'deprecated', 'specifiedBy', 'oneOf']);
const printedDirectives = new Set<string>([...boundDirectives, ...rights, 'cost']);
const rootNames = ['Query', 'Mutation', 'Subscription'];

interface Tagged {
  readonly directives?: readonly DirectiveNode[] | undefined;
}
type TypeDefinition = Extract<DefinitionNode, { kind: `${string}TypeDefinition` }>;

const isTypeDefinition = (node: DefinitionNode): node is TypeDefinition => node.kind.endsWith('TypeDefinition');

function isHidden({ directives = [] }: Tagged, shown: readonly string[]): boolean {
  if (directives.some(({ name }) => name.value === 'inaccessible')) return true;
  const tags = directives
    .filter(({ name }) => name.value === 'tag')
    .flatMap(({ arguments: given = [] }) => given.flatMap(({ value }) => (value.kind === Kind.STRING ? [value.value] : [])));
  return tags.length > 0 && !tags.some((tag) => shown.includes(tag));
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}

/** Removes hidden members and internal directives. */
function visibleDefinition(definition: DefinitionNode, shown: readonly string[]): DefinitionNode | null {
  if ('directives' in definition && isHidden(definition, shown)) return null;
  const unlessHidden = { enter: (node: Tagged) => (isHidden(node, shown) ? null : undefined) };
  return visit(definition, {
    FieldDefinition: unlessHidden,
    InputValueDefinition: unlessHidden,
    EnumValueDefinition: unlessHidden,
    Directive: { enter: (node) => (visibleDirectives.has(node.name.value) ? undefined : null) },
  });
}

/** Prints `[[requiresScopes__Scope!]!]!` as `[[String!]!]!`. */
function readableDirective(definition: DirectiveDefinitionNode): DirectiveDefinitionNode {
  return visit(definition, {
    NamedType: (node) => (node.name.value.includes('__') ? { ...node, name: { ...node.name, value: 'String' } } : undefined),
  });
}

function referencedTypes(definition: TypeDefinition): string[] {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      return [
        ...(definition.interfaces ?? []).map((one) => one.name.value),
        ...(definition.fields ?? []).flatMap((field) => [
          namedType(field.type),
          ...(field.arguments ?? []).map((argument) => namedType(argument.type)),
        ]),
      ];
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return (definition.fields ?? []).map((field) => namedType(field.type));
    case Kind.UNION_TYPE_DEFINITION:
      return (definition.types ?? []).map((one) => one.name.value);
    default:
      return [];
  }
}

/** Types that are reachable from the roots, including the implementations of reachable interfaces. */
function reachable(types: ReadonlyMap<string, TypeDefinition>): Set<string> {
  const implementations = new Map<string, string[]>();
  for (const [name, definition] of types) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const one of definition.interfaces ?? []) {
      implementations.set(one.name.value, [...(implementations.get(one.name.value) ?? []), name]);
    }
  }
  const reached = new Set<string>();
  const waiting = rootNames.filter((name) => types.has(name));
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = types.get(name);
    if (reached.has(name) || definition === undefined) continue;
    reached.add(name);
    waiting.push(...referencedTypes(definition), ...(implementations.get(name) ?? []));
  }
  return reached;
}

const builtIn = new Set(['ID', 'String', 'Int', 'Float', 'Boolean']);

/** References to types that are hidden from the audience: the referring element must be tagged as well. */
function danglingViolations(
  types: ReadonlyMap<string, TypeDefinition>,
  reached: ReadonlySet<string>,
  audience: Audience,
): string[] {
  return [...reached].flatMap((name) => {
    const definition = types.get(name);
    if (definition === undefined) return [];
    if ('fields' in definition && definition.fields.length === 0)
      return [`${name} has no field in ${audience}.graphql: tag the type`];
    return referencedTypes(definition)
      .filter((one) => !builtIn.has(one) && !types.has(one))
      .map((one) => `${name} refers to ${one}, which is not in ${audience}.graphql: tag the referring element too`);
  });
}

/** Leaves out hidden interfaces and union members. */
function withoutHiddenRelatives(definition: TypeDefinition, known: ReadonlySet<string>): TypeDefinition {
  if (definition.kind === Kind.UNION_TYPE_DEFINITION) {
    return { ...definition, types: (definition.types ?? []).filter((one) => known.has(one.name.value)) };
  }
  if (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION) {
    return { ...definition, interfaces: (definition.interfaces ?? []).filter((one) => known.has(one.name.value)) };
  }
  return definition;
}

const oneOfPrefix = '# Input types with @oneOf, which composition drops:';

/** The line of the supergraph that names the input types declared `@oneOf`. */
export const oneOfLine = (names: readonly string[]): string => `${oneOfPrefix} ${names.join(' ')}\n`;

function oneOfInputsOf(supergraphSdl: string): ReadonlySet<string> {
  const line = supergraphSdl.split('\n').find((text) => text.startsWith(oneOfPrefix));
  return new Set(line?.slice(oneOfPrefix.length).trim().split(' '));
}

function withOneOf(definition: TypeDefinition, oneOf: ReadonlySet<string>): TypeDefinition {
  if (definition.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION || !oneOf.has(definition.name.value)) return definition;
  const directive: ConstDirectiveNode = { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'oneOf' } };
  return { ...definition, directives: [...(definition.directives ?? []), directive] };
}

const byName = (left: { name: { value: string } }, right: { name: { value: string } }): number =>
  left.name.value < right.name.value ? -1 : 1;

/** Adds further types, and the fields of further root types, to a supergraph. */
function withTypeDefs(supergraph: DocumentNode, typeDefs: string): DocumentNode {
  if (typeDefs === '') return supergraph;
  const added = parse(typeDefs, { noLocation: true }).definitions;
  const fieldsOf = (name: string) =>
    added.flatMap((one) => (one.kind === Kind.OBJECT_TYPE_EXTENSION && one.name.value === name ? (one.fields ?? []) : []));
  const definitions = supergraph.definitions.map((one) =>
    one.kind === Kind.OBJECT_TYPE_DEFINITION ? { ...one, fields: [...(one.fields ?? []), ...fieldsOf(one.name.value)] } : one,
  );
  return { ...supergraph, definitions: [...definitions, ...added.filter((one) => one.kind !== Kind.OBJECT_TYPE_EXTENSION)] };
}

/**
 * The SDL of an audience: root types first, then types by name, fields in the order of the areas. `routerTypeDefs` are the fields that
 * the router answers without an area; default: none. Throws one Error that names every visible element that refers to a hidden type.
 */
export function printForAudience(supergraphSdl: string, audience: Audience, routerTypeDefs = ''): string {
  const oneOf = oneOfInputsOf(supergraphSdl);
  const supergraph = withTypeDefs(parse(supergraphSdl, { noLocation: true }), routerTypeDefs);
  const definitions = supergraph.definitions
    .filter((definition) => !('name' in definition) || !definition.name.value.includes('__'))
    .map((definition) => visibleDefinition(definition, audiences[audience]))
    .filter((definition) => definition !== null);
  const visible = definitions.filter(isTypeDefinition);
  const known = new Set(visible.map((definition) => definition.name.value));
  const types = new Map(
    visible.map((definition) => [definition.name.value, withOneOf(withoutHiddenRelatives(definition, known), oneOf)]),
  );
  if (types.get('Mutation')?.kind === Kind.OBJECT_TYPE_DEFINITION && isEmpty(types.get('Mutation'))) types.delete('Mutation');
  const reached = reachable(types);
  const violations = danglingViolations(types, reached, audience);
  if (violations.length > 0) throw new Error(`The ${audience} schema is incomplete:\n- ${violations.join('\n- ')}`);
  const directives = definitions
    .filter((definition) => definition.kind === Kind.DIRECTIVE_DEFINITION)
    .filter((definition) => printedDirectives.has(definition.name.value))
    .map(readableDirective)
    .sort(byName);
  const executable = audience === 'api' ? incrementalDirectives : [];
  const roots = rootNames.flatMap((name) => types.get(name) ?? []);
  const others = [...types.values()]
    .filter(({ name }) => reached.has(name.value) && !rootNames.includes(name.value))
    .sort(byName);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [...directives, ...executable, ...roots, ...others] };
  return `# Generated by \`npm run schema\`; do not edit.\n\n${print(document)}\n`;
}

function isEmpty(definition: TypeDefinition | undefined): boolean {
  return definition !== undefined && 'fields' in definition && definition.fields.length === 0;
}

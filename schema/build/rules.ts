/** Our own rules for the SDL, beyond those of GraphQL and federation; every fault is told at once. */
import { Kind, parse } from 'graphql';
import type { ConstDirectiveNode, DefinitionNode, DocumentNode, FieldDefinitionNode, StringValueNode } from 'graphql';

const rootTypes = new Set(['Query', 'Mutation', 'Subscription']);
const rightDirectives = ['authenticated', 'requiresScopes'];
const fieldSets = ['key', 'requires', 'provides'];

interface Directed {
  readonly directives?: readonly ConstDirectiveNode[] | undefined;
}
interface Described extends Directed {
  readonly name: { readonly value: string };
  readonly description?: StringValueNode | undefined;
}

const bears = (node: Directed, ...names: readonly string[]): boolean =>
  node.directives?.some(({ name }) => names.includes(name.value)) === true;

function fieldFaults(typeName: string, field: FieldDefinitionNode): string[] {
  const path = `${typeName}.${field.name.value}`;
  const faults: string[] = [];
  if (typeName === 'Query' && field.type.kind === Kind.NON_NULL_TYPE) {
    faults.push(`${path} cannot be null: make it nullable, so that a fault of this area leaves the answers of the others`);
  }
  if (bears(field, ...rightDirectives) && !rootTypes.has(typeName) && field.type.kind === Kind.NON_NULL_TYPE) {
    faults.push(`${path} needs rights and is not at the root: make it nullable, so that who lacks the rights reads null`);
  }
  if (bears(field, 'requires') && (field.arguments ?? []).length > 0) {
    faults.push(`${path} has @requires and arguments: aliased calls would share one fetch; move one of them to another field`);
  }
  return faults;
}

function areaFaults(definition: DefinitionNode): string[] {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION: {
      const name = definition.name.value;
      const own = bears(definition, ...rightDirectives) ? [`${name} bears a right: put it on the fields that need it`] : [];
      return [...own, ...(definition.fields ?? []).flatMap((field) => fieldFaults(name, field))];
    }
    case Kind.SCALAR_TYPE_DEFINITION:
      return [`scalar ${definition.name.value}: scalars are rows of schema/scalars.ts`];
    case Kind.ENUM_TYPE_DEFINITION:
      return bears(definition, ...rightDirectives)
        ? [`${definition.name.value} bears a right: put it on the fields that need it`]
        : [];
    case Kind.SCHEMA_EXTENSION:
    case Kind.SCHEMA_DEFINITION:
    case Kind.DIRECTIVE_DEFINITION:
      return ['links and directives are declared once, in schema/build/common.ts'];
    default:
      return [];
  }
}

/** Faults of one area's own SDL: root fields and rights that cannot be null, @requires with arguments, declarations that belong to the tables. */
export function faultsOfArea(sdl: string): string[] {
  return [...new Set(parse(sdl).definitions.flatMap(areaFaults))];
}

/** Names in a field set, at any depth. */
function fieldSetNames(directive: ConstDirectiveNode): string[] {
  const value = directive.arguments?.find(({ name }) => name.value === 'fields')?.value;
  return value?.kind === Kind.STRING ? (value.value.match(/[_A-Za-z]\w*/g) ?? []) : [];
}

type Owner = Extract<DefinitionNode, { readonly fields?: readonly FieldDefinitionNode[] | undefined }>;

const owners = (document: DocumentNode): Owner[] =>
  document.definitions.filter(
    (one) =>
      one.kind === Kind.OBJECT_TYPE_DEFINITION ||
      one.kind === Kind.OBJECT_TYPE_EXTENSION ||
      one.kind === Kind.INTERFACE_TYPE_DEFINITION ||
      one.kind === Kind.INTERFACE_TYPE_EXTENSION,
  );

/**
 * Protected fields in field sets of any area: the planner would fetch them for its own purposes, and what was fetched
 * would show in the answer. Names are compared without their types, which refuses a little more than it must.
 */
export function protectedInFieldSets(documents: readonly DocumentNode[]): string[] {
  const types = documents.flatMap(owners);
  const secret = new Set(
    types
      .filter(({ name }) => !rootTypes.has(name.value))
      .flatMap(({ fields }) => (fields ?? []).filter((field) => bears(field, ...rightDirectives)).map(({ name }) => name.value)),
  );
  return types.flatMap((type) => {
    const bearers = [{ path: type.name.value, node: type as Directed }].concat(
      (type.fields ?? []).map((field) => ({ path: `${type.name.value}.${field.name.value}`, node: field })),
    );
    return bearers.flatMap(({ path, node }) =>
      (node.directives ?? [])
        .filter(({ name }) => fieldSets.includes(name.value))
        .flatMap((directive) => fieldSetNames(directive).map((field) => ({ directive: directive.name.value, field })))
        .filter(({ field }) => secret.has(field))
        .map(
          ({ directive, field }) => `${path}: @${directive} names ${field}, which needs rights: who lacks them would be shown it`,
        ),
    );
  });
}

function undescribed(path: string, node: Described): string[] {
  const described = node.description !== undefined && node.description.value.trim() !== '';
  return described || bears(node, 'inaccessible') ? [] : [`${path} has no description`];
}

function definitionFaults(definition: DefinitionNode): string[] {
  if (!('name' in definition) || definition.name.value.includes('__')) return [];
  const name = definition.name.value;
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
      return [
        ...(rootTypes.has(name) ? [] : undescribed(name, definition)),
        ...(definition.fields ?? []).flatMap((field) => [
          ...undescribed(`${name}.${field.name.value}`, field),
          ...(field.arguments ?? []).flatMap((argument) =>
            undescribed(`${name}.${field.name.value}(${argument.name.value}:)`, argument),
          ),
        ]),
      ];
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
      return [
        ...undescribed(name, definition),
        ...(definition.fields ?? []).flatMap((field) => undescribed(`${name}.${field.name.value}`, field)),
      ];
    case Kind.ENUM_TYPE_DEFINITION:
      return [
        ...undescribed(name, definition),
        ...(definition.values ?? []).flatMap((value) => undescribed(`${name}.${value.name.value}`, value)),
      ];
    case Kind.UNION_TYPE_DEFINITION:
    case Kind.SCALAR_TYPE_DEFINITION:
      return undescribed(name, definition);
    default:
      return [];
  }
}

/** What the composed schema leaves undocumented: descriptions become the GraphQL and the REST reference. */
export function undocumented(supergraphSdl: string): string[] {
  return parse(supergraphSdl).definitions.flatMap(definitionFaults);
}

/** The project's rules for SDL, in addition to those of GraphQL and federation. All violations are reported together. */
import { Kind, parse } from 'graphql';
import type { ConstDirectiveNode, DefinitionNode, DocumentNode, FieldDefinitionNode, StringValueNode } from 'graphql';
import { routerFields } from '../router-fields.ts';
import { unsupported } from './unsupported.ts';

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

function fieldViolations(typeName: string, field: FieldDefinitionNode): string[] {
  const path = `${typeName}.${field.name.value}`;
  const violations: string[] = [];
  if (routerFields.has(field.name.value)) violations.push(`${path} has the name of a field that the router answers: rename it`);
  if (typeName === 'Query' && field.type.kind === Kind.NON_NULL_TYPE) {
    violations.push(`${path} is non-null: make it nullable, so that an error of this area does not discard the data of others`);
  }
  if (bears(field, ...rightDirectives) && !rootTypes.has(typeName) && field.type.kind === Kind.NON_NULL_TYPE) {
    violations.push(
      `${path} requires rights and is not a root field: make it nullable, so that callers without the rights read null`,
    );
  }
  return violations;
}

function areaViolations(definition: DefinitionNode): string[] {
  switch (definition.kind) {
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_EXTENSION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_EXTENSION: {
      const name = definition.name.value;
      const own = bears(definition, ...rightDirectives)
        ? [`${name} has a rights directive: move it to the fields that require it`]
        : [];
      return [...own, ...(definition.fields ?? []).flatMap((field) => fieldViolations(name, field))];
    }
    case Kind.SCALAR_TYPE_DEFINITION:
      return [`scalar ${definition.name.value}: declare scalars in schema/scalars.ts`];
    case Kind.ENUM_TYPE_DEFINITION:
      return bears(definition, ...rightDirectives)
        ? [`${definition.name.value} has a rights directive: move it to the fields that require it`]
        : [];
    case Kind.SCHEMA_EXTENSION:
    case Kind.SCHEMA_DEFINITION:
    case Kind.DIRECTIVE_DEFINITION:
      return ['links and directives are declared once, in schema/build/common.ts'];
    default:
      return [];
  }
}

/** Violations of an area's SDL: non-null root fields and fields with rights, declarations that belong in the tables of schema/. */
export function areaSchemaViolations(sdl: string): string[] {
  const document = parse(sdl);
  return [...new Set([...document.definitions.flatMap(areaViolations), ...unsupported(document)])];
}

/** Field names in a field set, at any depth. */
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

/** Names of the fields of the areas, without root fields. */
function namesOf(types: readonly Owner[], isMeant: (field: FieldDefinitionNode) => boolean): ReadonlySet<string> {
  const fields = types.filter(({ name }) => !rootTypes.has(name.value)).flatMap(({ fields: own }) => own ?? []);
  return new Set(fields.filter(isMeant).map(({ name }) => name.value));
}

/**
 * Fields of which no field set of any area may speak: protected ones, because the planner would fetch them for its own purposes,
 * and what was fetched would show in the answer; and those with arguments, because the planner takes what a caller's arguments
 * gave for what is required. Names are compared without their types, which refuses a little more than it must.
 */
export function fieldSetViolations(documents: readonly DocumentNode[]): string[] {
  const types = documents.flatMap(owners);
  const secret = namesOf(types, (field) => bears(field, ...rightDirectives));
  const varied = namesOf(types, (field) => (field.arguments ?? []).length > 0);
  return types.flatMap((type) => {
    const own: { readonly path: string; readonly node: Directed } = { path: type.name.value, node: type };
    const bearers = [own].concat(
      (type.fields ?? []).map((field) => ({ path: `${type.name.value}.${field.name.value}`, node: field })),
    );
    return bearers.flatMap(({ path, node }) =>
      (node.directives ?? [])
        .filter(({ name }) => fieldSets.includes(name.value))
        .flatMap((directive) =>
          fieldSetNames(directive).map((field) => ({ named: `@${directive.name.value} names ${field}`, field })),
        )
        .flatMap(({ named, field }) => [
          ...(secret.has(field) ? [`${path}: ${named}, which requires rights: callers without them would read it`] : []),
          ...(varied.has(field)
            ? [
                `${path}: ${named}, which has arguments: the caller's arguments would replace the required ones; use a field without arguments`,
              ]
            : []),
        ]),
    );
  });
}

function undescribed(path: string, node: Described): string[] {
  const described = node.description !== undefined && node.description.value.trim() !== '';
  return described || bears(node, 'inaccessible') ? [] : [`${path} has no description`];
}

function definitionViolations(definition: DefinitionNode): string[] {
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

/** Elements of the composed schema without a description. Descriptions become the GraphQL and REST reference. */
export function undocumented(supergraphSdl: string): string[] {
  return parse(supergraphSdl).definitions.flatMap(definitionViolations);
}

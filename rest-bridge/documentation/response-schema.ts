/** The JSON Schema of responses, derived from the selections of operations: the documentation matches what is fetched. */
import {
  getNamedType,
  getNullableType,
  GraphQLNonNull,
  isCompositeType,
  isInputType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
} from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLNamedType,
  GraphQLOutputType,
  GraphQLSchema,
  SelectionSetNode,
} from 'graphql';
import type { JsonSchema, JsonSchemas } from '../../schema/json-schema.ts';
import { responseName, topFields } from '../operations/documents.ts';

/** A selection whose schema is made. */
export interface Selected {
  readonly selections: SelectionSetNode | undefined;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** The name of the component, for an object that is not a single fragment. */
  readonly name: string;
  /** The field whose objects have only the members that the client requests; absent when every response is complete. */
  readonly narrowed?: FieldNode | null;
}

/** The members that a response to a request without `fields` always has; a request with `fields` can omit any member. */
export const requiredWithoutFields = 'x-required-without-fields';

export interface ResponseSchemas {
  /** The schema of a field's value; `isNarrowed`: its objects have only the members that the client requests. Objects are components, named by their fragment, or by the operation and the members that lead to them. */
  of(type: GraphQLOutputType, selected: Selected, isNarrowed?: boolean): JsonSchema;
  /** All components of the schemas so far, by name. */
  components(): Readonly<Record<string, JsonSchema>>;
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** The page information of all lists has one of two forms. */
const pageName = (members: readonly string[]): string => (members.includes('updatedUntil') ? 'SynchronizationPage' : 'Page');

export function createResponseSchemas(schema: GraphQLSchema, inputs: JsonSchemas): ResponseSchemas {
  const named = new Map<string, JsonSchema>();

  function of(type: GraphQLOutputType, selected: Selected, isNarrowed = false): JsonSchema {
    const bare = getNullableType(type);
    const schemaOf = isListType(bare)
      ? { type: 'array', items: of(bare.ofType, selected, isNarrowed) }
      : selected.selections
        ? objectOf(getNamedType(bare), selected, selected.selections, isNarrowed)
        : leaf(bare);
    return isNonNullType(type) ? schemaOf : nullable(schemaOf);
  }

  function leaf(type: GraphQLOutputType): JsonSchema {
    return isInputType(type) ? inputs.ofType(new GraphQLNonNull(getNullableType(type))) : {};
  }

  function reference(name: string, make: (name: string) => JsonSchema): JsonSchema {
    if (!named.has(name)) {
      // a fragment can contain itself
      named.set(name, {});
      named.set(name, make(name));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The name of the type, for a selection of all its fields, which have no members themselves. */
  function wholeTypeName(type: GraphQLNamedType, selections: SelectionSetNode, fragments: Selected['fragments']): string | null {
    if (!isObjectType(type)) return null;
    const fields = topFields(selections, fragments);
    const isPlain = fields.every(({ alias, selectionSet }) => alias === undefined && selectionSet === undefined);
    return isPlain && new Set(fields.map(responseName)).size === Object.keys(type.getFields()).length ? type.name : null;
  }

  function objectOf(type: GraphQLNamedType, selected: Selected, selections: SelectionSetNode, isNarrowed: boolean): JsonSchema {
    const { fragments } = selected;
    const [only, ...others] = selections.selections;
    const fragment = others.length === 0 && only?.kind === Kind.FRAGMENT_SPREAD ? fragments.get(only.name.value) : undefined;
    const content = fragment?.selectionSet ?? selections;
    const name =
      type.name === 'PageInfo'
        ? pageName(topFields(content, fragments).map(responseName))
        : (fragment?.name.value ?? wholeTypeName(type, content, fragments) ?? selected.name);
    return reference(fragment !== undefined && isNarrowed ? `${name}Selection` : name, () =>
      membersOf(type, { ...selected, name }, content, isNarrowed),
    );
  }

  function membersOf(type: GraphQLNamedType, selected: Selected, selections: SelectionSetNode, isNarrowed: boolean): JsonSchema {
    const { fragments, narrowed } = selected;
    const members = collect({ schema, fragments }, { type, selections, always: true, place: selected.name });
    const properties = [...members].map(([name, { owner, field, place }]): readonly [string, JsonSchema] => {
      const definition = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[field.name.value] : undefined;
      const inner = { ...selected, selections: field.selectionSet, name: `${place}${capitalized(name)}` };
      const value = definition ? of(definition.type, inner, field === narrowed) : { type: 'string' };
      return [name, definition?.description ? { ...value, description: definition.description } : value];
    });
    const required = [...members].flatMap(([name, { isRequired }]) => (isRequired ? [name] : []));
    const keyword = isNarrowed ? requiredWithoutFields : 'required';
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { [keyword]: required } : {}),
    };
  }

  return { of, components: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))) };
}

function nullable(inner: JsonSchema): JsonSchema {
  return typeof inner['type'] === 'string' ? { ...inner, type: [inner['type'], 'null'] } : { anyOf: [inner, { type: 'null' }] };
}

/** A member of an object: its field, with the selections of all fields of the same name. */
interface CollectedMember {
  readonly owner: GraphQLNamedType;
  readonly field: FieldNode;
  readonly isRequired: boolean;
  /** The fragment, or the component, that contains the field. */
  readonly place: string;
}

interface Collection {
  readonly schema: GraphQLSchema;
  readonly fragments: Selected['fragments'];
}

interface Place {
  readonly type: GraphQLNamedType;
  readonly selections: SelectionSetNode;
  /** False for fields that only some types have. */
  readonly always: boolean;
  readonly place: string;
}

const isOptional = ({ directives }: FieldNode): boolean => directives?.some(({ name }) => name.value === 'optional') ?? false;

/** Two fields of the same name return one value, with the members of both. The component of the place that contains them names it. */
function merged(one: CollectedMember | undefined, other: CollectedMember, place: string): CollectedMember {
  if (one === undefined) return other;
  const isRequired = one.isRequired || other.isRequired;
  const [first, second] = [one.field.selectionSet, other.field.selectionSet];
  if (first === undefined || second === undefined) return { ...one, isRequired };
  const selectionSet = { ...first, selections: [...first.selections, ...second.selections] };
  return { ...one, field: { ...one.field, selectionSet }, isRequired, place };
}

/** The members of an object by response name, also those within fragments. */
function collect({ schema, fragments }: Collection, of: Place): ReadonlyMap<string, CollectedMember> {
  const members = new Map<string, CollectedMember>();
  const visit = ({ type, selections, always, place }: Place): void => {
    for (const selection of selections.selections) {
      if (selection.kind === Kind.FIELD) {
        const member = { owner: type, field: selection, isRequired: always && !isOptional(selection), place };
        const name = responseName(selection);
        members.set(name, merged(members.get(name), member, of.place));
        continue;
      }
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
      if (!inner) continue;
      const owner = inner.typeCondition ? schema.getType(inner.typeCondition.name.value) : type;
      if (!owner || !isCompositeType(owner)) continue;
      const inside = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : place;
      visit({ type: owner, selections: inner.selectionSet, always: always && owner.name === type.name, place: inside });
    }
  };
  visit(of);
  return members;
}

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
    const properties: Record<string, JsonSchema> = {};
    const required = new Set<string>();
    const add: AddField = (owner, field, always, place) => {
      const definition = isObjectType(owner) || isInterfaceType(owner) ? owner.getFields()[field.name.value] : undefined;
      const name = responseName(field);
      const inner = { ...selected, selections: field.selectionSet, name: `${place}${capitalized(name)}` };
      const value = definition ? of(definition.type, inner, field === narrowed) : { type: 'string' };
      properties[name] = definition?.description ? { ...value, description: definition.description } : value;
      if (always && !field.directives?.some((directive) => directive.name.value === 'optional')) required.add(name);
    };
    collect({ schema, fragments, add }, { type, selections, always: true, place: selected.name });
    const keyword = isNarrowed ? requiredWithoutFields : 'required';
    return { type: 'object', properties, ...(required.size > 0 ? { [keyword]: [...required] } : {}) };
  }

  return { of, components: () => Object.fromEntries([...named].sort(([one], [other]) => (one < other ? -1 : 1))) };
}

function nullable(inner: JsonSchema): JsonSchema {
  return typeof inner['type'] === 'string' ? { ...inner, type: [inner['type'], 'null'] } : { anyOf: [inner, { type: 'null' }] };
}

/** `always` is false for fields that only some types have; `place` is the fragment, or the component, that contains the field. */
type AddField = (owner: GraphQLNamedType, field: FieldNode, always: boolean, place: string) => void;

interface Collection {
  readonly schema: GraphQLSchema;
  readonly fragments: Selected['fragments'];
  readonly add: AddField;
}

interface Place {
  readonly type: GraphQLNamedType;
  readonly selections: SelectionSetNode;
  readonly always: boolean;
  readonly place: string;
}

/** Calls `add` for every field of the selections, also within fragments. */
function collect(collection: Collection, { type, selections, always, place }: Place): void {
  const { schema, fragments, add } = collection;
  for (const selection of selections.selections) {
    if (selection.kind === Kind.FIELD) {
      add(type, selection, always, place);
      continue;
    }
    const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments.get(selection.name.value);
    if (!inner) continue;
    const owner = inner.typeCondition ? schema.getType(inner.typeCondition.name.value) : type;
    if (!owner || !isCompositeType(owner)) continue;
    const isSame = owner.name === type.name;
    const inside = selection.kind === Kind.FRAGMENT_SPREAD ? selection.name.value : place;
    collect(collection, { type: owner, selections: inner.selectionSet, always: always && isSame, place: inside });
  }
}

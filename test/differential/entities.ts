/** Reads entities from SDL: keys, fields with @requires, and which entity numbers belong to which type. */
import { Kind, parse, visit } from 'graphql';
import type { DirectiveNode, DocumentNode, FieldNode, SelectionSetNode } from 'graphql';
import type { AreaTexts } from './areas.ts';

export interface Entities {
  isEntity(type: string): boolean;
  /** True for a field of a key; its value is the number of the entity. */
  isKey(type: string, field: string): boolean;
  /** The members of a representation that a field with @requires depends on; empty for other fields. */
  requires(area: string, type: string, field: string): readonly string[];
  /** The number of an entity. There are few, so that an operation reaches the same entity repeatedly. */
  numbered(type: string, chance: number): number;
  /** Whether the entity with this number has this type, for entity interfaces. */
  isNumbered(type: string, number: number): boolean;
  /** The entity number in a representation; null without a key. */
  idOf(representation: Readonly<Record<string, unknown>>): string | null;
}

/** Number of entities per type. */
const entitiesEach = 4;

const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] => selections.filter((each) => each.kind === Kind.FIELD);

function fieldSet({ arguments: given }: DirectiveNode): SelectionSetNode | null {
  const value = given?.find(({ name }) => name.value === 'fields')?.value;
  if (value?.kind !== Kind.STRING) return null;
  const [definition] = parse(`{ ${value.value} }`).definitions;
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : null;
}

/** Reads the SDL of all subgraphs. */
export function readEntities(texts: AreaTexts): Entities {
  const keys = new Map<string, Set<string>>();
  const requiring = new Map<string, readonly string[]>();
  const typesOf = new Map<string, string[]>();
  const entityInterfaces = new Set<string>();

  function read(area: string, document: DocumentNode): void {
    const definition = (node: {
      readonly kind: Kind;
      readonly name: { readonly value: string };
      readonly directives?: readonly DirectiveNode[];
      readonly interfaces?: readonly { readonly name: { readonly value: string } }[];
      readonly fields?: readonly { readonly name: { readonly value: string }; readonly directives?: readonly DirectiveNode[] }[];
    }): void => {
      const type = node.name.value;
      for (const key of (node.directives ?? []).filter(({ name }) => name.value === 'key')) {
        const set = fieldSet(key);
        const names = keys.get(type) ?? new Set();
        for (const field of set === null ? [] : fieldsOf(set)) names.add(field.name.value);
        keys.set(type, names);
        if (node.kind === Kind.INTERFACE_TYPE_DEFINITION) entityInterfaces.add(type);
      }
      for (const { name } of node.interfaces ?? []) {
        const types = typesOf.get(name.value) ?? [];
        if (node.kind === Kind.OBJECT_TYPE_DEFINITION && !types.includes(type)) typesOf.set(name.value, [...types, type].sort());
      }
      for (const field of node.fields ?? []) {
        const directive = field.directives?.find(({ name }) => name.value === 'requires');
        const set = directive === undefined ? null : fieldSet(directive);
        if (set !== null)
          requiring.set(
            `${area} ${type} ${field.name.value}`,
            fieldsOf(set).map(({ name }) => name.value),
          );
      }
    };
    visit(document, { ObjectTypeDefinition: definition, InterfaceTypeDefinition: definition, ObjectTypeExtension: definition });
  }
  for (const [area, sdl] of Object.entries(texts)) read(area, parse(sdl));

  /** The number of types that share the entity numbers of this type, and its index among them. */
  function share(type: string): { readonly types: number; readonly index: number } {
    for (const name of entityInterfaces) {
      const types = typesOf.get(name) ?? [];
      if (name === type) return { types: 1, index: 0 };
      if (types.includes(type)) return { types: types.length, index: types.indexOf(type) };
    }
    return { types: 1, index: 0 };
  }

  function numberIn(value: unknown, names: ReadonlySet<string> | null): string | null {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (typeof value !== 'object' || value === null) return null;
    const members = Object.entries(value).filter(([name]) => name !== '__typename' && names?.has(name) !== false);
    const plain = members.find(([, member]) => typeof member !== 'object');
    if (plain !== undefined) return String(plain[1]);
    for (const [, member] of members) {
      const found = numberIn(member, null);
      if (found !== null) return found;
    }
    return null;
  }

  return {
    isEntity: (type) => keys.has(type),
    isKey: (type, field) => keys.get(type)?.has(field) ?? false,
    requires: (area, type, field) => requiring.get(`${area} ${type} ${field}`) ?? [],
    numbered(type, chance) {
      if (entityInterfaces.has(type)) return chance % (entitiesEach * (typesOf.get(type)?.length ?? 1));
      const { types, index } = share(type);
      return (chance % entitiesEach) * types + index;
    },
    isNumbered(type, number) {
      const { types, index } = share(type);
      return number % types === index;
    },
    idOf(representation) {
      const type = String(representation['__typename']);
      return numberIn(representation, keys.get(type) ?? null);
    },
  };
}

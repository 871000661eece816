/** Filters of lists that another area accepts too: it gets the definitions of the area that owns the list, so that they never differ. */
import { Kind, parse, print, visit } from 'graphql';
import type { DefinitionNode, DocumentNode } from 'graphql';
import type { Area } from './areas.ts';

/** Names of input types by the area that borrows them, then by the area that defines them. */
export const borrowedInputs: Readonly<Partial<Record<Area, Readonly<Partial<Record<Area, readonly string[]>>>>>> = {
  // a saved search stores the filter of a list
  scouting: { athletes: ['AthleteFilter'], opportunities: ['OpportunityFilter'] },
};

type Borrowable = Extract<DefinitionNode, { readonly kind: Kind.INPUT_OBJECT_TYPE_DEFINITION | Kind.ENUM_TYPE_DEFINITION }>;

const isBorrowable = (definition: DefinitionNode): definition is Borrowable =>
  definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION || definition.kind === Kind.ENUM_TYPE_DEFINITION;

const namesIn = (document: DocumentNode): string[] =>
  document.definitions.flatMap((definition) => ('name' in definition ? [definition.name.value] : []));

/** The types that a definition refers to. */
function referencesOf(definition: Borrowable): string[] {
  const names: string[] = [];
  visit(definition, { NamedType: ({ name }) => void names.push(name.value) });
  return names;
}

/**
 * The definitions of input types with the types that they refer to, except for those that the borrower already has.
 * @param own the SDL of the borrowing area, and the types that all areas share
 * @param sdl the SDL of the area that defines the types
 * Throws Error for a type that it does not define.
 */
export function borrowTypes(own: string, sdl: string, names: readonly string[]): string {
  const known = new Set(namesIn(parse(own, { noLocation: true })));
  const defined = new Map(
    parse(sdl, { noLocation: true }).definitions.flatMap((each) =>
      isBorrowable(each) ? [[each.name.value, each] as const] : [],
    ),
  );
  const borrowed = new Map<string, Borrowable>();
  const add = (name: string): void => {
    const definition = defined.get(name);
    if (!definition || known.has(name) || borrowed.has(name)) return;
    borrowed.set(name, definition);
    referencesOf(definition).forEach(add);
  };
  for (const name of names) {
    if (!defined.has(name)) throw new Error(`There is no input type ${name} to borrow.`);
    add(name);
  }
  return [...borrowed.values()].map((definition) => print(definition)).join('\n\n');
}

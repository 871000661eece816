/** The places of a response that a fetch of the plan returns: which parts of a response wait for it. */
import { isObjectType, Kind, parse } from 'graphql';
import type { GraphQLSchema, SelectionSetNode } from 'graphql';
import { fragmentBody, fragmentsOf } from '../operations/document-types.ts';
import { placeOf } from './response-parts.ts';
import { keysOf, type FetchPart } from './schedule.ts';

/** The names that the rewrites of a fetch give to a key of its response; the key itself without any. */
function createNames({ fetch }: FetchPart): (key: string) => readonly string[] {
  const names = new Map<string, string[]>();
  for (const rewrite of fetch.rewrites) {
    const key = rewrite.path.at(-1);
    if (rewrite.kind !== 'RenameKey' || typeof key !== 'string') continue;
    names.set(key, [...(names.get(key) ?? []), rewrite.name]);
  }
  return (key) => names.get(key) ?? [key];
}

/** Response paths without indexes, as in `places` of a response part. */
export function fetchedPlaces(supergraph: GraphQLSchema, part: FetchPart): ReadonlySet<string> {
  const document = parse(part.fetch.text, { noLocation: true });
  const fragments = fragmentsOf(document);
  const namesOf = createNames(part);
  const places = new Set<string>();

  /** `isKnown`: the type of the objects is known before the fetch. */
  function add(set: SelectionSetNode, keys: readonly string[], isKnown: boolean): void {
    for (const selection of set.selections) {
      if (selection.kind !== Kind.FIELD) {
        const body = fragmentBody(selection, fragments);
        const condition = body?.typeCondition?.name.value;
        // an interface stands for its objects in an area that does not know them (@interfaceObject)
        const isObject = condition === undefined || isObjectType(supergraph.getType(condition));
        if (body !== undefined) add(body.selectionSet, keys, isKnown && isObject);
        continue;
      }
      if (isKnown && selection.name.value === '__typename') continue;
      for (const name of namesOf((selection.alias ?? selection.name).value)) {
        places.add(placeOf([...keys, name]));
        if (selection.selectionSet !== undefined) add(selection.selectionSet, [...keys, name], false);
      }
    }
  }

  const roots = part.paths.map(keysOf);
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const isEntities = part.fetch.entities !== null;
    const sets = isEntities
      ? definition.selectionSet.selections.flatMap((root) => (root.kind === Kind.FIELD ? (root.selectionSet ?? []) : []))
      : [definition.selectionSet];
    for (const set of sets) for (const keys of roots) add(set, keys, isEntities);
  }
  return places;
}

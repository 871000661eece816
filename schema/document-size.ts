/** The number of fields a document selects. The cost of compiling a document grows with it, however short the text is. */
import { Kind } from 'graphql';
import type { DocumentNode, SelectionSetNode } from 'graphql';

/** Fields of all operations of a valid document; each use of a fragment counts. At least 1. */
export function fieldsOf({ definitions }: DocumentNode): number {
  const fragments = new Map(
    definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const counted = new Map<string, number>();

  function ofFragment(name: string): number {
    const known = counted.get(name);
    if (known !== undefined) return known;
    const set = fragments.get(name);
    const count = set === undefined ? 0 : ofSelections(set);
    counted.set(name, count);
    return count;
  }

  function ofSelections({ selections }: SelectionSetNode): number {
    return selections.reduce((sum, selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) return sum + ofFragment(selection.name.value);
      const inner = selection.selectionSet === undefined ? 0 : ofSelections(selection.selectionSet);
      return sum + inner + (selection.kind === Kind.FIELD ? 1 : 0);
    }, 0);
  }

  const all = definitions.map((each) => (each.kind === Kind.OPERATION_DEFINITION ? ofSelections(each.selectionSet) : 0));
  return Math.max(
    1,
    all.reduce((sum, each) => sum + each, 0),
  );
}

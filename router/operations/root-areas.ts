/** Which area an operation is about: that of its root fields, as the supergraph has them. */
import { Kind, type SelectionSetNode } from 'graphql';
import { areas, type Area } from '../../schema/areas.ts';
import type { PreparedOperation } from './prepared-operation.ts';

const areaByGraph = new Map(areas.map((area) => [area.toUpperCase(), area]));

/** Areas of the fields of Query and Mutation in a supergraph that `npm run schema` printed. */
function areasOfRoots(supergraphSdl: string): ReadonlyMap<string, Area> {
  const found = new Map<string, Area>();
  for (const [, block = ''] of supergraphSdl.matchAll(/^type (?:Query|Mutation)\b([^]*?)^\}$/gm)) {
    let field = '';
    for (const line of block.split('\n')) {
      field = /^ {2}(\w+)[(:]/.exec(line)?.[1] ?? field;
      const area = areaByGraph.get(/^ {2}\S.*@join__field\(graph: (\w+)/.exec(line)?.[1] ?? '');
      if (area !== undefined) found.set(field, area);
    }
  }
  return found;
}

/** The area of an operation's root fields, found once per operation; null when they are of several, or of none. */
export function compileRootAreas(supergraphSdl: string): (operation: PreparedOperation) => Area | null {
  const roots = areasOfRoots(supergraphSdl);
  const known = new WeakMap<PreparedOperation, { readonly area: Area | null }>();

  function named({ document, operation }: PreparedOperation): Area | null {
    const found = new Set<Area>();
    const collect = (set: SelectionSetNode): void => {
      for (const selection of set.selections) {
        if (selection.kind === Kind.FIELD) {
          const area = roots.get(selection.name.value);
          if (area !== undefined) found.add(area);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          collect(selection.selectionSet);
        } else {
          const { value } = selection.name;
          const fragment = document.definitions.find(
            (each) => each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === value,
          );
          if (fragment?.kind === Kind.FRAGMENT_DEFINITION) collect(fragment.selectionSet);
        }
      }
    };
    collect(operation.selectionSet);
    const [area, ...others] = found;
    return area === undefined || others.length > 0 ? null : area;
  }

  return (operation) => {
    const before = known.get(operation);
    if (before !== undefined) return before.area;
    const area = named(operation);
    known.set(operation, { area });
    return area;
  };
}

/** What a query asks of the rows of a list: nothing else is read. A row of thirty columns costs as much as all the rest of a small answer. */
import { Kind } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import type { Sql } from '../../platform/database/database.ts';
import { columnsOf, type Table } from '../../platform/database/table.ts';

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** The fields of selections, those of fragments among them, whatever their conditions are. */
function fieldsIn(selections: readonly SelectionSetNode[], fragments: Fragments): FieldNode[] {
  return selections
    .flatMap((set) => set.selections)
    .flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      return inner === undefined ? [] : fieldsIn([inner.selectionSet], fragments);
    });
}

function beneath(fields: readonly FieldNode[], name: string, fragments: Fragments): FieldNode[] {
  const sets = fields.flatMap((field) => (field.name.value === name && field.selectionSet ? [field.selectionSet] : []));
  return fieldsIn(sets, fragments);
}

/** Names of the fields that a query asks of the nodes of the connection at hand. */
function fieldsOfNodes({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const page = fieldNodes.flatMap(({ selectionSet }) => (selectionSet ? fieldsIn([selectionSet], fragments) : []));
  const nodes = [...beneath(page, 'nodes', fragments), ...beneath(beneath(page, 'edges', fragments), 'node', fragments)];
  return new Set(nodes.map(({ name }) => name.value));
}

/** What fields of a type are read from. */
export interface ColumnSources<Row> {
  /** Columns that are read whatever is asked: of keys, orders and rights. */
  readonly always: readonly (keyof Row & string)[];
  /** Columns of fields that are not read from the column of their name. */
  readonly fields: Readonly<Record<string, readonly (keyof Row & string)[]>>;
}

/**
 * Makes the function that gives the columns a query of a connection needs; all of them when it asks for a field that neither is a
 * column nor has its sources told. A row read so has `undefined` in the columns that nobody asked for.
 */
export function createSelectedColumns<Row>(
  table: Table<Row>,
  { always, fields }: ColumnSources<Row>,
): (info: GraphQLResolveInfo) => Sql {
  const isColumn = (name: string): name is keyof Row & string => Object.hasOwn(table.fields, name);
  const known = new WeakMap<FieldNode, Sql>();

  function columns(info: GraphQLResolveInfo): Sql {
    const wanted = new Set(always);
    for (const name of fieldsOfNodes(info)) {
      const sources = fields[name] ?? (isColumn(name) ? [name] : null);
      if (sources === null) return table.columns;
      for (const source of sources) wanted.add(source);
    }
    return columnsOf(table, wanted);
  }

  return (info) => {
    const [node] = info.fieldNodes;
    // documents are kept, and with them their nodes
    if (node === undefined || info.fieldNodes.length > 1) return columns(info);
    const found = known.get(node) ?? columns(info);
    known.set(node, found);
    return found;
  };
}

/** The columns that a query selects from a list. Reading all thirty columns of a row costs as much as the rest of a small response. */
import { Kind } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import type { Sql } from '../../platform/database/database.ts';
import { columnsOf, type Table } from '../../platform/database/table.ts';

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** The fields of selections, including those of fragments, regardless of conditions. */
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

/** Names of the fields that a query selects from the nodes of a connection. */
function fieldsOfNodes({ fieldNodes, fragments }: GraphQLResolveInfo): ReadonlySet<string> {
  const page = fieldNodes.flatMap(({ selectionSet }) => (selectionSet ? fieldsIn([selectionSet], fragments) : []));
  const nodes = [...beneath(page, 'nodes', fragments), ...beneath(beneath(page, 'edges', fragments), 'node', fragments)];
  return new Set(nodes.map(({ name }) => name.value));
}

/** The columns from which the fields of a type are read. */
export interface ColumnSources<Row> {
  /** Columns that are always read: keys, sort columns and columns that decide visibility. */
  readonly always: readonly (keyof Row & string)[];
  /** Columns of fields that are not read from the column with their name. */
  readonly fields: Readonly<Record<string, readonly (keyof Row & string)[]>>;
}

/**
 * Returns a function that computes the columns a connection query needs: all columns when a selected field is neither a column nor
 * listed in `fields`. Columns that were not selected are `undefined` in the rows.
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
    // documents are cached, and their nodes with them
    if (node === undefined || info.fieldNodes.length > 1) return columns(info);
    const found = known.get(node) ?? columns(info);
    known.set(node, found);
    return found;
  };
}

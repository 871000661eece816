/** The columns that a query selects of a table. Reading all thirty columns of a row costs as much as the rest of a small response. */
import { Kind } from 'graphql';
import type { FieldNode, FragmentDefinitionNode, GraphQLResolveInfo, SelectionSetNode } from 'graphql';
import { join, type Sql } from '../../platform/database/database.ts';
import { columnsOf, expressionAs, type Table } from '../../platform/database/table.ts';
import type { Viewer } from '../../schema/viewer.ts';

type Fragments = Readonly<Record<string, FragmentDefinitionNode>>;

/** The fields of selections, including those of fragments, regardless of conditions. With a type, only of fragments on it. */
function fieldsIn(selections: readonly SelectionSetNode[], fragments: Fragments, type: string | null = null): FieldNode[] {
  return selections
    .flatMap((set) => set.selections)
    .flatMap((selection) => {
      if (selection.kind === Kind.FIELD) return [selection];
      const inner = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      const isOther = type !== null && inner?.typeCondition !== undefined && inner.typeCondition.name.value !== type;
      return inner === undefined || isOther ? [] : fieldsIn([inner.selectionSet], fragments, type);
    });
}

const setsOf = (fields: readonly FieldNode[]): SelectionSetNode[] =>
  fields.flatMap(({ selectionSet }) => (selectionSet ? [selectionSet] : []));

function beneath(fields: readonly FieldNode[], name: string, fragments: Fragments): FieldNode[] {
  return fieldsIn(setsOf(fields.filter((field) => field.name.value === name)), fragments);
}

/** The fields that a query selects from the nodes of a connection. */
function fieldsOfNodes({ fieldNodes, fragments }: GraphQLResolveInfo): readonly FieldNode[] {
  const page = fieldsIn(setsOf(fieldNodes), fragments);
  return [...beneath(page, 'nodes', fragments), ...beneath(beneath(page, 'edges', fragments), 'node', fragments)];
}

/** The columns from which the fields of a type are read. */
export interface ColumnSources<Row> {
  /** Columns that are always read: keys, sort columns and columns that decide visibility. */
  readonly always: readonly (keyof Row & string)[];
  /** Columns of fields that are not read from the column with their name. */
  readonly fields: Readonly<Record<string, readonly (keyof Row & string)[]>>;
  /** By field: a member of rows of other tables that a list selects in its own statement. Name and value, as the viewer can read it. */
  readonly joined?: Readonly<Record<string, JoinedMember>>;
}

export interface JoinedMember {
  readonly name: string;
  readonly value: (viewer: Viewer) => Sql;
}

export interface SelectedColumns {
  /** The columns for the nodes of a connection, with the joined members. */
  ofNodes(info: GraphQLResolveInfo, viewer: Viewer): Sql;
  /** The columns for an entity of this type in `_entities`: the same object for every request with the same document. */
  ofEntity(info: GraphQLResolveInfo, type: string): Sql;
}

/** What the fields of one document need. */
interface Needs {
  readonly columns: Sql;
  readonly joined: readonly JoinedMember[];
}

/**
 * Computes the columns that queries need: all columns when a selected field is neither a column nor listed in the sources. Columns
 * that were not selected are `undefined` in the rows.
 */
export function createSelectedColumns<Row>(
  table: Table<Row>,
  { always, fields, joined = {} }: ColumnSources<Row>,
): SelectedColumns {
  const isColumn = (name: string): name is keyof Row & string => Object.hasOwn(table.fields, name);
  // documents are cached, and their nodes with them
  const known = new WeakMap<FieldNode, Map<string | null, Needs>>();

  function needsOf(selected: readonly FieldNode[], joins: boolean): Needs {
    const wanted = new Set(always);
    const members = new Set<JoinedMember>();
    for (const name of new Set(selected.map((field) => field.name.value))) {
      const member = joins ? joined[name] : undefined;
      if (member !== undefined) members.add(member);
      const sources = fields[name] ?? (isColumn(name) ? [name] : null);
      if (sources === null) return { columns: table.columns, joined: [...members] };
      for (const source of sources) wanted.add(source);
    }
    return { columns: columnsOf(table, wanted), joined: [...members] };
  }

  /** `type` is null for the nodes of a connection. */
  function remembered(info: GraphQLResolveInfo, type: string | null): Needs {
    const compute = (): Needs =>
      type === null
        ? needsOf(fieldsOfNodes(info), true)
        : needsOf(fieldsIn(setsOf(info.fieldNodes), info.fragments, type), false);
    const [node] = info.fieldNodes;
    if (node === undefined || info.fieldNodes.length > 1) return compute();
    const ofNode = known.get(node) ?? new Map<string | null, Needs>();
    known.set(node, ofNode);
    const found = ofNode.get(type) ?? compute();
    ofNode.set(type, found);
    return found;
  }

  return {
    ofNodes(info, viewer) {
      const needs = remembered(info, null);
      if (needs.joined.length === 0) return needs.columns;
      const members = needs.joined.map(({ name, value }) => expressionAs(value(viewer), name));
      return join([needs.columns, ...members], ', ');
    },
    ofEntity: (info, type) => remembered(info, type).columns,
  };
}

/** Builds the component of a moderation queue from its query, columns, views and decisions. */
import { Select } from '@mantine/core';
import type { ComponentType } from 'react';
import type { Column } from '../../components/data-table.tsx';
import { ListFilters, SearchBox } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-search.ts';
import { QueryResult } from '../../components/query-result.tsx';
import type { Document } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import type { Subject } from './decision-dialog.tsx';
import type { Decision } from './decisions.ts';
import { QueueTable } from './queue-table.tsx';

export interface QueueProps {
  /** The cursor of the page. */
  readonly after: string | null;
  /** The name of the selected view; undefined for the first view. */
  readonly view: string | undefined;
  /** The searched name. */
  readonly q: string | undefined;
  readonly canDecide: boolean;
}

/** A selection of the rows of a queue. */
interface View<Variables> {
  /** The value of the search parameter. */
  readonly name: string;
  readonly label: string;
  readonly variablesOf: (after: string | null, q: string | undefined) => Variables;
}

interface Page<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly nextCursor: string | null };
}

interface QueueDefinition<Data, Variables, Row> {
  /** "Organizations" */
  readonly label: string;
  /** Whether the API can search the items by name. */
  readonly hasSearch?: boolean;
  readonly document: Document<Data, Variables>;
  readonly views: NoInfer<readonly [View<Variables>, ...View<Variables>[]]>;
  readonly pageOf: (data: Data) => Page<Row> | null;
  readonly columns: readonly Column<Row>[];
  readonly subjectOf: (row: Row) => Subject;
  readonly decisionsOf: (row: Row) => readonly Decision[];
}

export function createQueue<Data, Variables, Row>({
  label,
  hasSearch = false,
  document,
  views,
  pageOf,
  columns,
  subjectOf,
  decisionsOf,
}: QueueDefinition<Data, Variables, Row>): ComponentType<QueueProps> {
  return function Queue({ after, view, q, canDecide }) {
    const selected = views.find(({ name }) => name === view) ?? views[0];
    const query = useGraphQuery(document, selected.variablesOf(after, hasSearch ? q : undefined));
    return (
      <>
        {(views.length > 1 || hasSearch) && (
          <ListFilters>
            {hasSearch && <SearchBox label="Name" value={q} />}
            {views.length > 1 && <ViewSelect views={views} value={selected.name} />}
          </ListFilters>
        )}
        <QueryResult query={query} name={label.toLowerCase()}>
          {(data) => {
            const page = pageOf(data);
            return (
              <QueueTable
                label={label}
                columns={columns}
                rows={page?.nodes ?? []}
                pageInfo={page?.pageInfo}
                subjectOf={subjectOf}
                isFiltered={hasSearch && q !== undefined}
                decisionsOf={(row) => (canDecide ? decisionsOf(row) : [])}
              />
            );
          }}
        </QueryResult>
      </>
    );
  };
}

interface ViewSelectProps {
  readonly views: readonly Pick<View<unknown>, 'name' | 'label'>[];
  readonly value: string;
}

function ViewSelect({ views, value }: ViewSelectProps) {
  const { set } = useListState();
  return (
    <Select
      label="View"
      data={views.map(({ name, label }) => ({ value: name, label }))}
      value={value}
      allowDeselect={false}
      onChange={(name) => set({ view: name === views[0]?.name ? undefined : (name ?? undefined) })}
      w={{ base: '100%', xs: 280 }}
    />
  );
}

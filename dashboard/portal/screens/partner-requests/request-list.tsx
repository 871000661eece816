/** The requests of the account to the operator, with a filter by status. Members who can send requests can withdraw open ones. */
import type { UseQueryResult } from '@tanstack/react-query';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumOptions } from '../../../components/enum-label.ts';
import { ChoiceFilter, ListFilters } from '../../../components/list-filters.tsx';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Section } from '../../../components/section.tsx';
import type { RequestError } from '../../../graph/request-error.ts';
import { useHasScope } from '../../../session/session.ts';
import type { PartnerRequestStatus } from '../../generated/graphql.ts';
import { requestStatuses } from './partner-requests-search.ts';

interface RequestListProps<Data, Row> {
  readonly query: UseQueryResult<Data, RequestError>;
  readonly pageOf: (
    data: Data,
  ) => { readonly nodes: readonly Row[]; readonly pageInfo: { readonly nextCursor: string | null } } | null;
  readonly columns: readonly Column<Row>[];
  readonly withdrawal: Column<Row>;
  /** The status that is selected in the filter. */
  readonly status: PartnerRequestStatus | undefined;
  /** What to do while there is no request, for members who can send one. */
  readonly hint: string;
  /** The same for other members. */
  readonly readOnlyHint: string;
}

export function RequestList<Data, Row extends { readonly id: string }>({
  query,
  pageOf,
  columns,
  withdrawal,
  status,
  hint,
  readOnlyHint,
}: RequestListProps<Data, Row>) {
  const canRequest = useHasScope('requests:write');
  const empty =
    status === undefined ? (
      <EmptyState title="No requests yet">{canRequest ? hint : readOnlyHint}</EmptyState>
    ) : (
      <NoMatches title="No matching requests" />
    );
  return (
    <Section title="Requests">
      <ListFilters label="Filters of requests">
        <ChoiceFilter name="status" label="Status" value={status} choices={enumOptions(requestStatuses)} />
      </ListFilters>
      <QueryResult query={query} name="requests" lines={3}>
        {(data) => {
          const page = pageOf(data);
          return (
            <DataTable
              label="Requests"
              columns={canRequest ? [...columns, withdrawal] : columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={empty}
            />
          );
        }}
      </QueryResult>
    </Section>
  );
}

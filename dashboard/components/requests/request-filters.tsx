/** The filters of the request log, in the dashboard and the portal. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { errors } from '../../../schema/errors.ts';
import { enumOptions } from '../enum-label.ts';
import { ChoiceFilter, ListFilters, SearchBox, TimeFilter } from '../list-filters.tsx';
import { useListState } from '../list-search.ts';
import { statusSeries } from '../usage/usage-periods.ts';
import { apis, keyModes, methods, statuses, type RequestsSearch } from './requests-search.ts';

const outcomeOptions = statusSeries.map(({ name, label }) => ({ value: name, label }));
const apiLabels = { REST: 'REST', GRAPHQL: 'GraphQL', MCP: 'Tools' } as const;
const apiOptions = apis.map((value) => ({ value, label: apiLabels[value] }));
const codes = Object.keys(errors).sort();
const filterNames = [
  'requestId',
  'outcome',
  'status',
  'errorCode',
  'api',
  'method',
  'operation',
  'key',
  'keyMode',
  'account',
  'since',
  'until',
] as const;

interface RequestFiltersProps {
  readonly search: RequestsSearch & { readonly account?: string | undefined };
  /** The filters for the owner of the requests: key and account. */
  readonly children: ReactNode;
}

export function RequestFilters({ search, children }: RequestFiltersProps) {
  const { set } = useListState();
  const isFiltered = filterNames.some((name) => search[name] !== undefined);
  return (
    <ListFilters>
      <SearchBox name="requestId" label="Request ID" placeholder="X-Request-Id" value={search.requestId} />
      <ChoiceFilter name="outcome" label="Outcome" value={search.outcome} choices={outcomeOptions} />
      <ChoiceFilter name="status" label="Status" value={search.status} choices={statuses} searchable />
      <ChoiceFilter name="errorCode" label="Error code" value={search.errorCode} choices={codes} searchable />
      <ChoiceFilter name="api" label="API" value={search.api} choices={apiOptions} />
      <ChoiceFilter name="method" label="Method" value={search.method} choices={methods} />
      <SearchBox name="operation" label="Operation" placeholder="GET /api/v1/athletes/{id}" value={search.operation} />
      {children}
      <ChoiceFilter name="keyMode" label="Mode" value={search.keyMode} choices={enumOptions(keyModes)} />
      {search.view !== 'LIVE' && (
        <>
          <TimeFilter name="since" label="From (UTC)" value={search.since} />
          <TimeFilter name="until" label="To (UTC)" value={search.until} />
        </>
      )}
      {isFiltered && (
        <Button variant="default" onClick={() => set(Object.fromEntries(filterNames.map((name) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
    </ListFilters>
  );
}

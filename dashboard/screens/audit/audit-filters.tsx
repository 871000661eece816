/** The filters of the audit log. */
import { Button } from '@mantine/core';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { useListState } from '../../components/list-search.ts';
import { ChoiceFilter, DateFilter, ListFilters, SearchBox } from '../../components/list-filters.tsx';
import { enumOptions } from '../../components/enum-label.ts';
import { areas, auditFilters, type AuditSearch } from './audit-search.ts';

const namesQuery = graphql(`
  query AuditAdministrators {
    administrators(first: 100) {
      nodes {
        id
        name
      }
    }
  }
`);

const areaOptions = enumOptions(areas);

export function AuditFilters({ search }: { readonly search: AuditSearch }) {
  const { set } = useListState();
  const { administrator, area, type, resource, action, key, since, until } = search;
  const names = useGraphQuery(namesQuery, {}).data?.administrators?.nodes ?? [];
  const isFiltered = Object.keys(search).length > 0;
  return (
    <ListFilters>
      <ChoiceFilter
        name="administrator"
        label="Administrator"
        value={administrator}
        choices={names.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ChoiceFilter name="area" label="Area" value={area} choices={areaOptions} />
      <SearchBox name="type" label="Resource type" placeholder="api_key" value={type} />
      <SearchBox name="resource" label="Resource ID" value={resource} />
      <SearchBox name="action" label="Action" placeholder="revoke" value={action} />
      <SearchBox name="key" label="API key (public ID)" placeholder="sp_live_…" value={key} />
      <DateFilter name="since" label="From (UTC)" value={since} />
      <DateFilter name="until" label="To (UTC)" value={until} />
      {isFiltered && (
        <Button
          variant="default"
          onClick={() => set(Object.fromEntries(Object.keys(auditFilters).map((name) => [name, undefined])))}
        >
          Clear filters
        </Button>
      )}
    </ListFilters>
  );
}

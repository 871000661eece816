/** What narrows the audit log, kept in the URL. */
import { Button } from '@mantine/core';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { useListState } from '../../parts/list-search.ts';
import { ChoiceFilter, DayFilter, ListTools, SearchBox } from '../../parts/list-tools.tsx';
import { said } from '../../parts/status-badge.tsx';
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

const areaChoices = areas.map((value) => ({ value, label: said(value) }));

export function AuditFilters({ search }: { readonly search: AuditSearch }) {
  const { set } = useListState();
  const { administrator, area, type, resource, action, key, since, until } = search;
  const names = useAsk(namesQuery, {}).data?.administrators?.nodes ?? [];
  const isNarrowed = Object.keys(search).length > 0;
  return (
    <ListTools>
      <ChoiceFilter
        name="administrator"
        label="Administrator"
        value={administrator}
        choices={names.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <ChoiceFilter name="area" label="Area" value={area} choices={areaChoices} />
      <SearchBox name="type" label="Kind, such as api_key" value={type} />
      <SearchBox name="resource" label="Resource id" value={resource} />
      <SearchBox name="action" label="Action, such as revoke" value={action} />
      <SearchBox name="key" label="Public id of a key" value={key} />
      <DayFilter name="since" label="From (UTC)" value={since} />
      <DayFilter name="until" label="Until (UTC)" value={until} />
      {isNarrowed && (
        <Button
          variant="default"
          onClick={() => set(Object.fromEntries(Object.keys(auditFilters).map((name) => [name, undefined])))}
        >
          Clear all
        </Button>
      )}
    </ListTools>
  );
}

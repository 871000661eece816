/** The filters of the audit log. */
import { Button } from '@mantine/core';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { hasFilter, useListState } from '../../components/list-search.ts';
import { ChoiceFilter, DateFilter, IdFilter, ListFilters } from '../../components/list-filters.tsx';
import { actionLabel, actionOptions, resourceTypeOptions } from '../../components/audit-labels.ts';
import { enumOptions } from '../../components/enum-label.ts';
import { KeySelect } from '../keys/key-select.tsx';
import { PortalUserSelect } from '../portal-users/portal-user-select.tsx';
import { areas } from '../../components/areas.ts';
import { auditFilters, type AuditSearch } from './audit-search.ts';

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

/** The known actions, and the action of a link that is not one of them. */
const actionsWith = (action: string | undefined) =>
  action === undefined || actionOptions.some(({ value }) => value === action)
    ? actionOptions
    : [{ value: action, label: actionLabel(action) }, ...actionOptions];

export function AuditFilters({ search }: { readonly search: AuditSearch }) {
  const { set } = useListState();
  const { administrator, user, area, type, resource, action, key, since, until } = search;
  const names = useGraphQuery(namesQuery, {}).data?.administrators?.nodes ?? [];
  const isFiltered = hasFilter(search);
  return (
    <ListFilters>
      <ChoiceFilter
        name="administrator"
        label="Administrator"
        value={administrator}
        choices={names.map(({ id, name }) => ({ value: id, label: name }))}
        searchable
      />
      <PortalUserSelect
        label="Portal user"
        placeholder="All"
        value={user ?? null}
        onChange={(id) => set({ user: id ?? undefined })}
        w={{ base: '100%', xs: 240 }}
      />
      <ChoiceFilter name="area" label="Area" value={area} choices={areaOptions} />
      <ChoiceFilter name="type" label="Resource type" value={type} choices={resourceTypeOptions} searchable />
      <IdFilter name="resource" label="Resource ID" value={resource} />
      <ChoiceFilter name="action" label="Action" value={action} choices={actionsWith(action)} searchable />
      <KeySelect
        label="API key"
        placeholder="All"
        value={key ?? null}
        onChange={(publicId) => set({ key: publicId ?? undefined })}
        w={{ base: '100%', xs: 240 }}
      />
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

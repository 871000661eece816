/** Selects an organization by its name, and displays the name of one. The platform searches as the user types. */
import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';

const organizationChoicesQuery = graphql(`
  query OrganizationChoices($filter: OrganizationFilter, $selected: ID!, $hasSelection: Boolean!) {
    organizations(first: 20, filter: $filter) {
      nodes {
        id
        name
        country
      }
    }
    organization(id: $selected) @include(if: $hasSelection) {
      id
      name
      country
    }
  }
`);

const organizationNameQuery = graphql(`
  query OrganizationName($id: ID!) {
    organization(id: $id) {
      name
    }
  }
`);

const debounceMs = 200;

interface OrganizationSelectProps {
  readonly label: string;
  readonly description: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly error?: ReactNode;
}

export function OrganizationSelect({ value, label, ...rest }: OrganizationSelectProps) {
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed.trim(), debounceMs);
  const { data, isFetching } = useGraphQuery(organizationChoicesQuery, {
    filter: searched === '' ? {} : { q: searched },
    selected: value ?? '',
    hasSelection: value !== null,
  });
  const found = [...(data?.organization ? [data.organization] : []), ...(data?.organizations?.nodes ?? [])];
  const labels = new Map(found.map(({ id, name, country }) => [id, `${name} (${country})`]));
  // an organization that was removed
  if (value !== null && data !== undefined && !labels.has(value)) labels.set(value, value);
  return (
    <Select
      {...rest}
      label={label}
      placeholder="Search organizations"
      data={[...labels].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      // no client-side filter: the platform has already searched
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === labels.get(value ?? '') ? '' : text)}
      maxLength={100}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No matching organizations'}
      rightSection={isFetching && typed !== '' ? <Loader size="xs" aria-label="Searching" /> : undefined}
    />
  );
}

/** The name of an organization; its id while the name is unknown. */
export function OrganizationName({ id }: { readonly id: string }) {
  const { data } = useGraphQuery(organizationNameQuery, { id });
  return <span title={id}>{data?.organization?.name ?? id}</span>;
}

/** Selects a portal user. The platform searches names and email addresses as the administrator types. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';

const userChoicesQuery = graphql(`
  query PortalUserChoices($filter: PortalUserFilter, $selected: ID!, $hasSelection: Boolean!) {
    portalUsers(first: 20, filter: $filter) {
      nodes {
        id
        name
        email
      }
    }
    portalUser(id: $selected) @include(if: $hasSelection) {
      id
      name
      email
    }
  }
`);

const debounceMs = 200;

interface PortalUserSelectProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly w: object;
}

export function PortalUserSelect({ value, label, ...rest }: PortalUserSelectProps) {
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed.trim(), debounceMs);
  const { data, isFetching } = useGraphQuery(userChoicesQuery, {
    filter: searched === '' ? {} : { q: searched },
    selected: value ?? '',
    hasSelection: value !== null,
  });
  const found = [...(data?.portalUser ? [data.portalUser] : []), ...(data?.portalUsers?.nodes ?? [])];
  const labels = new Map(found.map(({ id, name, email }) => [id, `${name}, ${email}`]));
  // a user that does not exist, from a link
  if (value !== null && !labels.has(value)) labels.set(value, value);
  return (
    <Select
      {...rest}
      label={label}
      data={[...labels].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      // no client-side filter: the platform has already searched
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === labels.get(value ?? '') ? '' : text)}
      maxLength={100}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No matching portal users'}
    />
  );
}

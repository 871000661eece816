/** Selects an API key by its public ID. The platform searches names, accounts and public IDs as the user types. */
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';

const keyChoicesQuery = graphql(`
  query ApiKeyChoices($filter: ApiKeyFilter, $selected: ApiKeyFilter!, $hasSelection: Boolean!) {
    apiKeys(first: 20, filter: $filter, sort: NAME_ASC) {
      nodes {
        publicId
        name
        account {
          name
        }
      }
    }
    selected: apiKeys(first: 1, filter: $selected) @include(if: $hasSelection) {
      nodes {
        publicId
        name
        account {
          name
        }
      }
    }
  }
`);

const debounceMs = 200;

interface KeySelectProps {
  readonly label: string;
  readonly placeholder: string;
  /** The public ID. */
  readonly value: string | null;
  readonly onChange: (publicId: string | null) => void;
  readonly w: object;
}

export function KeySelect({ value, label, ...rest }: KeySelectProps) {
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed.trim(), debounceMs);
  const { data, isFetching } = useGraphQuery(keyChoicesQuery, {
    filter: searched === '' ? {} : { q: searched },
    selected: { q: value ?? '-' },
    hasSelection: value !== null,
  });
  const found = [...(data?.selected?.nodes ?? []), ...(data?.apiKeys?.nodes ?? [])];
  const labels = new Map(found.map(({ publicId, name, account }) => [publicId, `${name}, ${account.name}`]));
  // a key that does not exist, from a link
  if (value !== null && !labels.has(value)) labels.set(value, value);
  return (
    <Select
      {...rest}
      label={label}
      data={[...labels].map(([publicId, name]) => ({ value: publicId, label: name }))}
      value={value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      // no client-side filter: the platform has already searched
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === labels.get(value ?? '') ? '' : text)}
      maxLength={100}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No matching API keys'}
    />
  );
}

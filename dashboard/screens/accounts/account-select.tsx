/** Selects an account. The platform searches as the user types. */
import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';

const accountChoicesQuery = graphql(`
  query AccountChoices($filter: AccountFilter, $selected: ID!, $hasSelection: Boolean!) {
    accounts(first: 20, filter: $filter, sort: NAME_ASC) {
      nodes {
        id
        name
        status
      }
    }
    account(id: $selected) @include(if: $hasSelection) {
      id
      name
      status
    }
  }
`);

const debounceMs = 200;

interface AccountSelectProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly error?: ReactNode;
  readonly w?: object;
  /** Omits suspended and closed accounts. */
  readonly activeOnly?: boolean;
  /** Whether a dialog starts in this field. */
  readonly autoFocus?: boolean;
}

export function AccountSelect({ value, onChange, activeOnly = false, autoFocus = false, label, ...rest }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed.trim(), debounceMs);
  const filter = { ...(searched !== '' && { q: searched }), ...(activeOnly && { status: ['ACTIVE' as const] }) };
  const { data, isFetching } = useGraphQuery(accountChoicesQuery, {
    filter,
    selected: value ?? '',
    hasSelection: value !== null,
  });
  const found = [...(data?.account ? [data.account] : []), ...(data?.accounts?.nodes ?? [])];
  const choices = new Map(
    found.map(({ id, name, status }) => [id, status === 'ACTIVE' ? name : `${name} (${status.toLowerCase()})`]),
  );
  return (
    <Select
      {...rest}
      label={label}
      data-autofocus={autoFocus || undefined}
      openOnFocus={!autoFocus}
      data={[...choices].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      // no client-side filter: the platform has already searched
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === choices.get(value ?? '') ? '' : text)}
      maxLength={100}
      nothingFoundMessage={isFetching ? 'Searching…' : 'No matching accounts'}
      rightSection={isFetching && typed !== '' ? <Loader size="xs" aria-label="Searching" /> : undefined}
    />
  );
}

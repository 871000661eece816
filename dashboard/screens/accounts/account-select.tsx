/** Chooses an account: what is typed is searched for on the platform. */
import { Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { graphql } from '../../graph/graphql.ts';
import { useAsk } from '../../graph/ask.ts';

const accountChoicesQuery = graphql(`
  query AccountChoices($filter: AccountFilter, $chosen: ID!, $isChosen: Boolean!) {
    accounts(first: 20, filter: $filter, sort: NAME_ASC) {
      nodes {
        id
        name
        status
      }
    }
    account(id: $chosen) @include(if: $isChosen) {
      id
      name
      status
    }
  }
`);

const typingPauseMs = 200;

interface AccountSelectProps {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly error?: React.ReactNode;
  readonly w?: object;
  /** Accounts that get no keys are not offered. */
  readonly activeOnly?: boolean;
}

export function AccountSelect({ value, onChange, activeOnly = false, label, ...rest }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const [searched] = useDebouncedValue(typed.trim(), typingPauseMs);
  const filter = { ...(searched !== '' && { q: searched }), ...(activeOnly && { status: ['ACTIVE' as const] }) };
  const { data, isFetching } = useAsk(accountChoicesQuery, { filter, chosen: value ?? '', isChosen: value !== null });
  const found = [...(data?.account ? [data.account] : []), ...(data?.accounts?.nodes ?? [])];
  const choices = new Map(
    found.map(({ id, name, status }) => [id, status === 'ACTIVE' ? name : `${name} (${status.toLowerCase()})`]),
  );
  return (
    <Select
      {...rest}
      label={label}
      data={[...choices].map(([id, name]) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      // the platform has searched, by words and however they are spelled
      filter={({ options }) => options}
      onSearchChange={(text) => setTyped(text === choices.get(value ?? '') ? '' : text)}
      maxLength={100}
      nothingFoundMessage={isFetching ? 'Searching …' : 'No account of this name'}
      rightSection={isFetching && typed !== '' ? <Loader size="xs" aria-label="Searching" /> : undefined}
    />
  );
}

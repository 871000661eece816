/** The filters of a list, stored in the URL: search text, choices, dates and times. */
import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useListState } from './list-search.ts';

const debounceMs = 200;

export const ListFilters = ({ children }: { readonly children: ReactNode }) => (
  <Group role="search" gap="sm" align="flex-end" mb="sm">
    {children}
  </Group>
);

interface SearchBoxProps {
  /** Search parameter; `q` by default. */
  readonly name?: string;
  /** "Name or public ID" */
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string | undefined;
}

export function SearchBox({ name = 'q', label, placeholder, value = '' }: SearchBoxProps) {
  const { set } = useListState();
  const [typed, setTyped] = useState(value);
  const [current, setCurrent] = useState(value);
  const search = useDebouncedCallback((text: string) => {
    setCurrent(text);
    set({ [name]: text === '' ? undefined : text });
  }, debounceMs);
  // the URL changed elsewhere, for example by the back button
  if (value !== current) {
    setCurrent(value);
    setTyped(value);
  }
  return (
    <TextInput
      type="search"
      label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={typed}
      maxLength={100}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(currentTarget.value);
      }}
      w={{ base: '100%', xs: 260 }}
    />
  );
}

interface ChoiceFilterProps {
  /** Search parameter. */
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
  /** Whether typing searches the choices, for long lists. */
  readonly searchable?: boolean;
}

export function ChoiceFilter({ name, label, value, choices, searchable = false }: ChoiceFilterProps) {
  const { set } = useListState();
  return (
    <Select
      label={label}
      placeholder="All"
      data={[...choices]}
      value={value ?? null}
      onChange={(selected) => set({ [name]: selected ?? undefined })}
      searchable={searchable}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={{ base: '100%', xs: searchable ? 240 : 180 }}
    />
  );
}

interface DateFilterProps {
  /** Search parameter. */
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
}

/** Filters by a date such as `2026-11-22`. */
export const DateFilter = (props: DateFilterProps) => <MomentFilter type="date" {...props} />;

/** Filters by a minute such as `2026-11-22T05:20`. */
export const TimeFilter = (props: DateFilterProps) => <MomentFilter type="datetime-local" {...props} />;

function MomentFilter({ type, name, label, value = '' }: DateFilterProps & { readonly type: 'date' | 'datetime-local' }) {
  const { set } = useListState();
  return (
    <TextInput
      type={type}
      label={label}
      value={value}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value === '' ? undefined : currentTarget.value })}
      w={{ base: '100%', xs: type === 'date' ? 160 : 200 }}
    />
  );
}

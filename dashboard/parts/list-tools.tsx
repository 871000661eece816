/** What narrows a list: words and choices, kept in the URL. */
import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useListState } from './list-search.ts';

const typingPauseMs = 200;

export const ListTools = ({ children }: { readonly children: ReactNode }) => (
  <Group role="search" gap="sm" align="flex-end" mb="sm">
    {children}
  </Group>
);

interface SearchBoxProps {
  /** The member of the URL's search: `q` when it is not said. */
  readonly name?: string;
  /** What is looked through: "Name or public id". */
  readonly label: string;
  readonly value: string | undefined;
}

export function SearchBox({ name = 'q', label, value = '' }: SearchBoxProps) {
  const { set } = useListState();
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  const search = useDebouncedCallback((words: string) => {
    setKnown(words);
    set({ [name]: words === '' ? undefined : words });
  }, typingPauseMs);
  // another URL, such as after going back, says something else than what was typed here
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  return (
    <TextInput
      type="search"
      label={label}
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
  /** The member of the URL's search. */
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
}

export function ChoiceFilter({ name, label, value, choices }: ChoiceFilterProps) {
  const { set } = useListState();
  return (
    <Select
      label={label}
      placeholder="All"
      data={[...choices]}
      value={value ?? null}
      onChange={(chosen) => set({ [name]: chosen ?? undefined })}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
      w={{ base: '100%', xs: 180 }}
    />
  );
}

interface DayFilterProps {
  /** The member of the URL's search. */
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
}

/** A day, such as `2026-11-22`. */
export function DayFilter({ name, label, value = '' }: DayFilterProps) {
  const { set } = useListState();
  return (
    <TextInput
      type="date"
      label={label}
      value={value}
      onChange={({ currentTarget }) => set({ [name]: currentTarget.value === '' ? undefined : currentTarget.value })}
      w={{ base: '100%', xs: 160 }}
    />
  );
}

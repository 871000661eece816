/** The filters of a list, stored in the URL: search text, choices, dates and times. On narrow screens they are behind a button. */
import { Button, Group, Kbd, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal, IconSearch } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { Children, useRef, useState, type ReactNode } from 'react';
import { idPattern, useListState } from './list-search.ts';
import { useSearchShortcut } from './search-shortcut.ts';

const debounceMs = 200;

/** Search parameters that are no filters behind the button. */
const otherParameters: ReadonlySet<string> = new Set([
  'q',
  'after',
  'sort',
  'view',
  'queue',
  'span',
  'event',
  'search',
  'request',
  'mode',
]);

interface ListFiltersProps {
  /** Accessible name, on screens with several lists: "Filters of requests". */
  readonly label?: string;
  readonly children: ReactNode;
}

/** The filters; below 640 px a button shows them, except for the search text (styles.css). */
export function ListFilters({ label, children }: ListFiltersProps) {
  const [isOpened, { toggle }] = useDisclosure(false);
  const search = useSearch({ strict: false });
  const active = Object.entries<unknown>(search).filter(
    ([name, value]) => value !== undefined && !otherParameters.has(name),
  ).length;
  const isCollapsible = Children.count(children) > 1;
  return (
    <Group
      role="search"
      aria-label={label}
      gap="sm"
      align="flex-end"
      mb="sm"
      className="filters"
      data-collapsed={isCollapsible && !isOpened ? true : undefined}
    >
      {isCollapsible && (
        <Button
          className="filters-toggle"
          variant="default"
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          aria-expanded={isOpened}
          aria-label={active === 0 ? 'Filters' : `Filters, ${active} active`}
          onClick={toggle}
        >
          {active === 0 ? 'Filters' : `Filters (${active})`}
        </Button>
      )}
      {children}
    </Group>
  );
}

interface SearchBoxProps {
  /** Search parameter; `q` by default. */
  readonly name?: string;
  /** "Name or public ID" */
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string | undefined;
  /** Values that the API accepts. Other texts have the message `invalid` and do not filter. */
  readonly pattern?: RegExp;
  readonly invalid?: string;
}

export function SearchBox({ name = 'q', label, placeholder, value = '', pattern, invalid }: SearchBoxProps) {
  const { set } = useListState();
  const input = useRef<HTMLInputElement>(null);
  const isMain = name === 'q';
  useSearchShortcut(input, isMain);
  const [typed, setTyped] = useState(value);
  const [current, setCurrent] = useState(value);
  const search = useDebouncedCallback((text: string) => {
    if (text !== '' && pattern?.test(text) === false) return;
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
      ref={input}
      type="search"
      className={isMain ? 'filters-search' : undefined}
      aria-keyshortcuts={isMain ? '/' : undefined}
      rightSection={isMain && typed === '' ? <Kbd visibleFrom="sm">/</Kbd> : undefined}
      rightSectionPointerEvents="none"
      error={typed !== '' && pattern?.test(typed.trim()) === false ? invalid : undefined}
      label={label}
      placeholder={placeholder}
      leftSection={<IconSearch size={15} aria-hidden />}
      value={typed}
      maxLength={100}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        search(pattern === undefined ? currentTarget.value : currentTarget.value.trim());
      }}
      w={{ base: '100%', xs: 260 }}
    />
  );
}

/** Filters by the complete ID of a resource. */
export const IdFilter = (props: Pick<SearchBoxProps, 'name' | 'label' | 'value'>) => (
  <SearchBox {...props} pattern={idPattern} invalid="Enter a complete ID." />
);

interface ChoiceFilterProps {
  /** Search parameter. */
  readonly name: string;
  readonly label: string;
  readonly value: string | undefined;
  readonly choices: readonly (string | { readonly value: string; readonly label: string })[];
  /** Whether typing searches the choices, for long lists. */
  readonly searchable?: boolean;
  /** The choice of a list without this search parameter. Default: no filter. */
  readonly fallback?: string;
}

export function ChoiceFilter({ name, label, value, choices, searchable = false, fallback }: ChoiceFilterProps) {
  const { set } = useListState();
  return (
    <Select
      label={label}
      placeholder="All"
      data={[...choices]}
      value={value ?? fallback ?? null}
      onChange={(selected) => set({ [name]: selected ?? undefined })}
      searchable={searchable}
      clearable={fallback === undefined}
      allowDeselect={fallback === undefined}
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

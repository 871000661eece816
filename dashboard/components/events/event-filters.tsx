/** The filters of a list of events. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { sportNames, sports } from '../../../schema/sports.ts';
import { areas } from '../areas.ts';
import { enumOptions } from '../enum-label.ts';
import { ChoiceFilter, IdFilter, ListFilters, TimeFilter } from '../list-filters.tsx';
import { useListState } from '../list-search.ts';
import type { EventSearch } from './event-search.ts';
import { feedTypes } from './event-types.ts';

const areaOptions = enumOptions(areas);
const sportOptions = sportNames.map((sport) => ({ value: sport, label: sports[sport].title }));
const filterNames = ['type', 'area', 'sport', 'resource', 'account', 'since'] as const;

interface EventFiltersProps {
  readonly search: EventSearch & { readonly account?: string | undefined };
  /** Whether the list has a filter by time. */
  readonly hasSince?: boolean;
  /** Further filters. */
  readonly children?: ReactNode;
}

export function EventFilters({ search, hasSince = true, children }: EventFiltersProps) {
  const { set } = useListState();
  const isFiltered = filterNames.some((name) => search[name] !== undefined);
  return (
    <ListFilters>
      <ChoiceFilter name="type" label="Type" value={search.type} choices={feedTypes} searchable />
      <ChoiceFilter name="area" label="Area" value={search.area} choices={areaOptions} />
      <ChoiceFilter name="sport" label="Sport" value={search.sport} choices={sportOptions} />
      <IdFilter name="resource" label="Resource ID" value={search.resource} />
      {children}
      {hasSince && <TimeFilter name="since" label="From (UTC)" value={search.since} />}
      {isFiltered && (
        <Button variant="default" onClick={() => set(Object.fromEntries(filterNames.map((name) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
    </ListFilters>
  );
}

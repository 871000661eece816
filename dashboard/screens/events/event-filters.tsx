/** The filters of the event explorer. */
import { Button } from '@mantine/core';
import { sportNames, sports } from '../../../schema/sports.ts';
import { enumOptions } from '../../components/enum-label.ts';
import { ChoiceFilter, IdFilter, ListFilters, TimeFilter } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-search.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { areas } from '../../components/areas.ts';
import { feedTypes } from '../../components/events/event-types.ts';
import type { EventsSearch } from './events-search.ts';

const areaOptions = enumOptions(areas);
const sportOptions = sportNames.map((sport) => ({ value: sport, label: sports[sport].title }));
const filterNames = ['type', 'area', 'sport', 'resource', 'account', 'since'] as const;

export function EventFilters({ search }: { readonly search: EventsSearch }) {
  const { set } = useListState();
  const isFiltered = filterNames.some((name) => search[name] !== undefined);
  return (
    <ListFilters>
      <ChoiceFilter name="type" label="Type" value={search.type} choices={feedTypes} searchable />
      <ChoiceFilter name="area" label="Area" value={search.area} choices={areaOptions} />
      <ChoiceFilter name="sport" label="Sport" value={search.sport} choices={sportOptions} />
      <IdFilter name="resource" label="Resource ID" value={search.resource} />
      <AccountSelect
        label="Account"
        placeholder="All"
        value={search.account ?? null}
        onChange={(account) => set({ account: account ?? undefined })}
        w={{ base: '100%', xs: 220 }}
      />
      {search.view !== 'LIVE' && <TimeFilter name="since" label="From (UTC)" value={search.since} />}
      {isFiltered && (
        <Button variant="default" onClick={() => set(Object.fromEntries(filterNames.map((name) => [name, undefined])))}>
          Clear filters
        </Button>
      )}
    </ListFilters>
  );
}

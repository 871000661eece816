/** Requests of partners for plans and verifications. The kind and the filters are stored in the URL. */
import { Tabs } from '@mantine/core';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { isOneOf } from '../../../schema/records.ts';
import { enumOptions } from '../../components/enum-label.ts';
import { ChoiceFilter, ListFilters } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-search.ts';
import { Screen } from '../../components/screen.tsx';
import { RequestCount } from '../../shell/partner-request-badge.tsx';
import { usePartnerRequestCounts } from '../../shell/partner-request-counts.ts';
import { AccountSelect } from '../accounts/account-select.tsx';
import { requestKinds, requestStatuses, type PartnerRequestsSearch, type RequestKind } from './partner-requests-search.ts';
import { PlanRequests } from './plan-requests.tsx';
import { VerificationRequests } from './verification-requests.tsx';

const lists: Readonly<Record<RequestKind, ComponentType<PartnerRequestsSearch>>> = {
  plans: PlanRequests,
  verifications: VerificationRequests,
};

const labels: Readonly<Record<RequestKind, string>> = { plans: 'Plans', verifications: 'Verifications' };

const statusChoices = [...enumOptions(requestStatuses), { value: 'ALL', label: 'All' }];

const route = getRouteApi('/signed-in/partner-requests');

export function PartnerRequests() {
  const { queue = 'plans', ...search } = route.useSearch();
  const { set } = useListState();
  const navigate = useNavigate();
  const counts = usePartnerRequestCounts();
  const List = lists[queue];
  return (
    <Screen title="Partner requests" description="Requests of partners for another plan or for a verification, newest first.">
      <Tabs
        value={queue}
        onChange={(name) =>
          void (
            name !== null &&
            isOneOf(requestKinds, name) &&
            navigate({ to: '/partner-requests', search: { ...search, queue: name, after: undefined } })
          )
        }
      >
        <Tabs.List aria-label="Kinds" mb="md">
          {requestKinds.map((kind) => (
            <Tabs.Tab key={kind} value={kind} rightSection={<RequestCount count={counts?.[kind] ?? 0} />}>
              {labels[kind]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={queue}>
          <ListFilters>
            <ChoiceFilter name="status" label="Status" value={search.status} choices={statusChoices} fallback="OPEN" />
            <AccountSelect
              label="Account"
              placeholder="All"
              value={search.account ?? null}
              onChange={(account) => set({ account: account ?? undefined })}
              w={{ base: '100%', xs: 220 }}
            />
          </ListFilters>
          <List {...search} />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

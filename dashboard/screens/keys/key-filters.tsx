/** The filters of the list of API keys. */
import { keyScopes } from '../../../schema/scopes.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { enumOptions } from '../../components/enum-label.ts';
import { graphql } from '../../graph/graphql.ts';
import { useListState, type ListSearch } from '../../components/list-search.ts';
import { ChoiceFilter, ListFilters, SearchBox } from '../../components/list-filters.tsx';
import { AccountSelect } from '../accounts/account-select.tsx';
import { expirySpans, statuses, type keysSearch } from './keys-search.ts';

const planNamesQuery = graphql(`
  query PlanNames {
    plans(first: 100) {
      nodes {
        code
        name
      }
    }
  }
`);

const statusOptions = enumOptions(statuses);
const expiryOptions = expirySpans.map((days) => ({ value: days, label: `Within ${days} days` }));

export function KeyFilters({ search }: { readonly search: ListSearch<typeof keysSearch> }) {
  const { set } = useListState();
  const { data } = useGraphQuery(planNamesQuery, {});
  const plans = (data?.plans?.nodes ?? []).map(({ code, name }) => ({ value: code, label: name }));
  return (
    <ListFilters>
      <SearchBox label="Name, account or public ID" value={search.q} />
      <ChoiceFilter name="status" label="Status" value={search.status} choices={statusOptions} />
      <ChoiceFilter name="plan" label="Plan" value={search.plan} choices={plans} />
      <ChoiceFilter name="scope" label="Scope" value={search.scope} choices={keyScopes} />
      <ChoiceFilter name="expires" label="Expires" value={search.expires} choices={expiryOptions} />
      <AccountSelect
        label="Account"
        placeholder="All"
        value={search.account ?? null}
        onChange={(account) => set({ account: account ?? undefined })}
        w={{ base: '100%', xs: 220 }}
      />
    </ListFilters>
  );
}

/** What narrows the list of keys. */
import { keyScopes } from '../../../schema/scopes.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { useListState, type ListSearch } from '../../parts/list-search.ts';
import { ChoiceFilter, ListTools, SearchBox } from '../../parts/list-tools.tsx';
import { AccountSelect } from '../accounts/account-select.tsx';
import { expirySpans, type keysSearch } from './keys-search.ts';

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

const statusChoices = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'DISABLED', label: 'Disabled' },
  { value: 'REVOKED', label: 'Revoked' },
];
const expiryChoices = expirySpans.map((days) => ({ value: days, label: `Within ${days} days` }));

export function KeyFilters({ search }: { readonly search: ListSearch<typeof keysSearch> }) {
  const { set } = useListState();
  const { data } = useAsk(planNamesQuery, {});
  const plans = (data?.plans?.nodes ?? []).map(({ code, name }) => ({ value: code, label: name }));
  return (
    <ListTools>
      <SearchBox label="Name, account or public id" value={search.q} />
      <ChoiceFilter name="status" label="Status" value={search.status} choices={statusChoices} />
      <ChoiceFilter name="plan" label="Plan" value={search.plan} choices={plans} />
      <ChoiceFilter name="scope" label="Scope" value={search.scope} choices={keyScopes} />
      <ChoiceFilter name="expires" label="Expires" value={search.expires} choices={expiryChoices} />
      <AccountSelect
        label="Account"
        placeholder="All"
        value={search.account ?? null}
        onChange={(account) => set({ account: account ?? undefined })}
        w={{ base: '100%', xs: 220 }}
      />
    </ListTools>
  );
}

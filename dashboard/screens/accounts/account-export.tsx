/** Exports the filtered list of accounts as CSV. */
import { csvOf, csvType, type CsvColumns } from '../../components/csv.ts';
import { ListExport } from '../../components/list-export.tsx';
import type { AccountsQuery, AccountsQueryVariables } from '../../generated/graphql.ts';
import { runOperation } from '../../graph/operations.ts';
import { accountsQuery, type ListedAccount } from './accounts-query.ts';

const columns: CsvColumns<ListedAccount> = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['email', ({ email }) => email],
  ['status', ({ status }) => status],
  ['liveKeys', ({ liveKeys }) => liveKeys],
  ['requestsLast24Hours', ({ requestsLast24Hours }) => requestsLast24Hours],
  ['createdAt', ({ createdAt }) => createdAt],
];

const formats = [
  { name: 'csv', label: 'CSV', type: csvType, textOf: (accounts: readonly ListedAccount[]) => csvOf(columns, accounts) },
] as const;

export const AccountExport = ({ variables }: { readonly variables: AccountsQueryVariables }) => (
  <ListExport
    title="Export accounts"
    fileName="accounts"
    one="account"
    many="accounts"
    advice="To export the others, filter by name or status."
    formats={formats}
    readPage={async (after, signal) => {
      const data: AccountsQuery = await runOperation(accountsQuery, { ...variables, first: 100, after }, { signal });
      return data.accounts;
    }}
  />
);

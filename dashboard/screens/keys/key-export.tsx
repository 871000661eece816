/** Exports the filtered list of API keys as CSV. */
import { csvOf, csvType, type CsvColumns } from '../../components/csv.ts';
import { ListExport } from '../../components/list-export.tsx';
import type { ApiKeysQuery, ApiKeysQueryVariables } from '../../generated/graphql.ts';
import { runOperation } from '../../graph/operations.ts';
import { keysQuery, type ListedKey } from './keys-query.ts';

const columns: CsvColumns<ListedKey> = [
  ['id', ({ id }) => id],
  ['publicId', ({ publicId }) => publicId],
  ['name', ({ name }) => name],
  ['status', ({ status }) => status],
  ['accountId', ({ account }) => account.id],
  ['accountName', ({ account }) => account.name],
  ['accountStatus', ({ account }) => account.status],
  ['plan', ({ plan }) => plan.code],
  ['createdAt', ({ createdAt }) => createdAt],
  ['lastUsedAt', ({ lastUsedAt }) => lastUsedAt],
  ['expiresAt', ({ expiresAt }) => expiresAt],
  ['rotatedTo', ({ rotatedTo }) => rotatedTo?.publicId ?? null],
];

const formats = [
  { name: 'csv', label: 'CSV', type: csvType, textOf: (keys: readonly ListedKey[]) => csvOf(columns, keys) },
] as const;

export const KeyExport = ({ variables }: { readonly variables: ApiKeysQueryVariables }) => (
  <ListExport
    title="Export API keys"
    fileName="api-keys"
    one="API key"
    many="API keys"
    advice="To export the others, filter by plan, status or account."
    formats={formats}
    readPage={async (after, signal) => {
      const data: ApiKeysQuery = await runOperation(keysQuery, { ...variables, first: 100, after }, { signal });
      return data.apiKeys;
    }}
  />
);

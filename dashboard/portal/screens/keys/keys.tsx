/** The list of API keys of the account. */
import { Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { CopyableId } from '../../../components/copyable-id.tsx';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { enumOptions } from '../../../components/enum-label.ts';
import { ChoiceFilter, ListFilters, SearchBox } from '../../../components/list-filters.tsx';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { TestBadge } from '../../../components/test-badge.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { useGraphQuery } from '../../../graph/operations.ts';
import { keyStatusOf } from '../../../screens/keys/key-status.ts';
import { useHasScope } from '../../../session/session.ts';
import type { OwnKeysQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graphql.ts';
import { CreateKeyButton } from './create-button.tsx';
import { KeyLink } from './key-link.tsx';

const keysQuery = graphql(`
  query OwnKeys($after: String, $filter: OwnKeyFilter) {
    ownKeys(first: 25, after: $after, filter: $filter) {
      nodes {
        id
        name
        publicId
        mode
        status
        createdAt
        expiresAt
        lastUsedAt
        scopes
        rotatedTo {
          id
          publicId
        }
      }
      pageInfo {
        nextCursor
      }
    }
    keyAllowance {
      liveKeys
      liveKeysMax
    }
  }
`);

type Key = NonNullable<OwnKeysQuery['ownKeys']>['nodes'][number];

const columns: readonly Column<Key>[] = [
  {
    title: 'API key',
    cell: ({ id, name, publicId, mode }) => (
      <Stack gap={0} maw={360} miw={180}>
        <Text component="div" inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
          <KeyLink id={id} name={name} />
        </Text>
        <Text component="div" size="xs" c="dimmed">
          <CopyableId label={`public ID of ${name}`} id={publicId} size="xs" />
          <TestBadge mode={mode} />
        </Text>
      </Stack>
    ),
  },
  { title: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
  { title: 'Scopes', cell: ({ scopes }) => (scopes.length === 0 ? 'Public reads' : scopes.length), numeric: true },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Timestamp at={lastUsedAt} fallback="Never" /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Timestamp at={expiresAt} fallback="Never" /> },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

/** The status; for a key that is being replaced, also until when and by which key. */
function KeyStatus({ apiKey }: { readonly apiKey: Key }) {
  const status = keyStatusOf(apiKey);
  if (status !== 'BEING_REPLACED' || apiKey.rotatedTo === null) return <StatusBadge status={status} />;
  return (
    <Stack gap={2} align="flex-start" miw="max-content">
      <StatusBadge status={status} />
      <Text size="xs">
        Valid until <Timestamp at={apiKey.expiresAt} />
      </Text>
      <Text size="xs">
        Replaced by <KeyLink id={apiKey.rotatedTo.id} name={apiKey.rotatedTo.publicId} />
      </Text>
    </Stack>
  );
}

const route = getRouteApi('/signed-in/keys');

export function Keys() {
  const { q, after = null, status } = route.useSearch();
  const filter = { ...(q !== undefined && { q }), ...(status !== undefined && { status: [status] }) };
  const keys = useGraphQuery(keysQuery, { after, filter });
  const canCreate = useHasScope('keys:write');
  const allowance = keys.data?.keyAllowance;
  return (
    <Screen
      title="API keys"
      description={allowance ? `${allowance.liveKeys} of ${allowance.liveKeysMax} keys in use.` : 'Keys of your account.'}
      actions={<CreateKeyButton />}
    >
      <div>
        <ListFilters>
          <SearchBox label="Name or public ID" value={q} />
          <ChoiceFilter name="status" label="Status" value={status} choices={enumOptions(['ACTIVE', 'DISABLED', 'REVOKED'])} />
        </ListFilters>
        <QueryResult query={keys} name="API keys">
          {({ ownKeys: page }) => (
            <DataTable
              label="API keys"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={
                q !== undefined || status !== undefined ? (
                  <NoMatches title="No matching API keys" />
                ) : (
                  <EmptyState title="No API keys yet" action={canCreate && <CreateKeyButton />}>
                    {canCreate ? 'Create a key to send requests.' : 'An owner or developer of the account creates keys.'}
                  </EmptyState>
                )
              }
            />
          )}
        </QueryResult>
      </div>
    </Screen>
  );
}

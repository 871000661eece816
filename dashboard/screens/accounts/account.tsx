/** One account: what it is, what its keys ask, what it pays, and what can be done. */
import { Button } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { AccountQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Facts } from '../../parts/facts.tsx';
import { History } from '../../parts/history.tsx';
import { KeyLink } from '../../parts/links.tsx';
import { LooksOnly } from '../../parts/looks-only.tsx';
import { Moment } from '../../parts/moment.tsx';
import { count } from '../../parts/numbers.ts';
import { Screen } from '../../parts/screen.tsx';
import { Section } from '../../parts/section.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { useMay } from '../../session/session.ts';
import { standingOf } from '../keys/standing.ts';
import { AccountActions } from './account-actions.tsx';
import { AccountUsage } from './account-usage.tsx';
import { Contracts } from './contracts.tsx';
import { Statements } from './statements.tsx';

const accountQuery = graphql(`
  query Account($id: ID!) {
    account(id: $id) {
      id
      version
      createdAt
      updatedAt
      name
      email
      organizationId
      status
      requestsLast24Hours
      liveKeys
      keys(first: 10) {
        nodes {
          id
          name
          publicId
          status
          expiresAt
          lastUsedAt
          plan {
            name
          }
        }
        pageInfo {
          nextCursor
        }
      }
    }
  }
`);

export type AccountShown = NonNullable<AccountQuery['account']>;
type Keys = NonNullable<AccountShown['keys']>;

const route = getRouteApi('/signed-in/accounts/$id');

export function Account() {
  const { id } = route.useParams();
  const may = useMay('administration:write');
  const account = useAsk(accountQuery, { id });
  const shown = account.data?.account;
  return (
    <Screen
      title={shown?.name ?? 'Account'}
      says={shown && <StatusBadge status={shown.status} />}
      actions={shown && (may ? <AccountActions of={shown} /> : <LooksOnly />)}
    >
      <Answered of={account} name="the account">
        {({ account: told }) => (told === null ? <Empty title="There is no such account" /> : <AccountFacts of={told} />)}
      </Answered>
      {shown && (
        <>
          <KeysOf id={id} keys={shown.keys} />
          <AccountUsage id={id} />
          <Contracts id={id} mayChange={may && shown.status !== 'CLOSED'} />
          <Statements id={id} />
          <History resourceType="account" resourceId={id} />
        </>
      )}
    </Screen>
  );
}

const AccountFacts = ({ of }: { readonly of: AccountShown }) => (
  <Section title="Facts">
    <Facts
      of={[
        ['E-mail', of.email ?? 'None'],
        ['Organization', of.organizationId ?? 'None'],
        ['Live keys', count(of.liveKeys)],
        ['Calls in the last 24 hours', count(of.requestsLast24Hours)],
        ['Created', <Moment key="created" at={of.createdAt} />],
        ['Changed', <Moment key="changed" at={of.updatedAt} />],
        ['Id', of.id],
      ]}
    />
  </Section>
);

const keyColumns: readonly Column<Keys['nodes'][number]>[] = [
  { title: 'Key', cell: (key) => <KeyLink {...key} /> },
  { title: 'Public id', cell: ({ publicId }) => publicId },
  { title: 'Plan', cell: ({ plan }) => plan.name },
  { title: 'Status', cell: (key) => <StatusBadge status={standingOf(key)} /> },
  { title: 'Last used', cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} none="Never" /> },
  { title: 'Expires', cell: ({ expiresAt }) => <Moment at={expiresAt} none="Never" /> },
];

const KeysOf = ({ id, keys }: { readonly id: string; readonly keys: Keys | null }) => (
  <Section
    title="Keys"
    tools={
      <Button size="xs" variant="default" renderRoot={(props) => <Link to="/keys" search={{ account: id }} {...props} />}>
        {keys?.pageInfo.nextCursor == null ? 'In the list of keys' : 'All its keys'}
      </Button>
    }
  >
    <DataTable
      label="Keys of the account"
      columns={keyColumns}
      rows={keys?.nodes ?? []}
      rowKey={({ id: keyId }) => keyId}
      empty={<Empty title="No keys yet">Issue one to let it write.</Empty>}
    />
  </Section>
);

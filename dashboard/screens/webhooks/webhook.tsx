/** One webhook endpoint: details, secrets, deliveries, history and actions. */
import { Alert, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import type { WebhookEndpointQuery } from '../../generated/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { History } from '../../components/history.tsx';
import { AccountLink } from '../../components/links.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { ReadOnlyNotice } from '../../components/read-only-notice.tsx';
import { Screen } from '../../components/screen.tsx';
import { Section } from '../../components/section.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useWatch } from '../../components/use-watch.ts';
import { useHasScope } from '../../session/session.ts';
import { Deliveries } from './deliveries.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { disabledReasons, webhookName, webhookStatusOf } from './webhook-status.ts';

const webhookQuery = graphql(`
  query WebhookEndpoint($id: ID!) {
    webhookEndpoint(id: $id) {
      id
      version
      createdAt
      updatedAt
      url
      description
      types
      areas
      sports
      competitionIds
      organizationIds
      scopes
      status
      disabledReason
      disabledAt
      failingSince
      lastSuccessAt
      secrets {
        prefix
        createdAt
        expiresAt
      }
      account {
        id
        name
      }
    }
  }
`);

export type WebhookDetails = NonNullable<WebhookEndpointQuery['webhookEndpoint']>;

const route = getRouteApi('/signed-in/webhooks/$id');

export function Webhook() {
  const { id } = route.useParams();
  const canEdit = useHasScope('webhooks:write');
  const { watch, ...interval } = useWatch();
  const query = useGraphQuery(webhookQuery, { id }, interval);
  const endpoint = query.data?.webhookEndpoint;
  return (
    <Screen
      title={endpoint ? webhookName(endpoint) : 'Webhook endpoint'}
      description={endpoint && <Header endpoint={endpoint} />}
      actions={endpoint && (canEdit ? <WebhookActions endpoint={endpoint} onRequested={watch} /> : <ReadOnlyNotice />)}
    >
      <QueryResult query={query} name="webhook endpoint">
        {({ webhookEndpoint }) =>
          webhookEndpoint === null ? (
            <EmptyState title="Webhook endpoint not found" />
          ) : (
            <WebhookDescription endpoint={webhookEndpoint} />
          )
        }
      </QueryResult>
      {endpoint && (
        <>
          <Deliveries endpoint={endpoint} interval={interval} onRequested={watch} />
          <Secrets secrets={endpoint.secrets} />
          <History resourceType="webhook_endpoint" resourceId={id} />
        </>
      )}
    </Screen>
  );
}

interface EndpointProps {
  readonly endpoint: WebhookDetails;
}

const Header = ({ endpoint }: EndpointProps) => (
  <Group component="span" gap="xs">
    <Text component="span" ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {endpoint.url}
    </Text>
    <StatusBadge status={webhookStatusOf(endpoint)} />
  </Group>
);

const Codes = ({ values }: { readonly values: readonly string[] }) =>
  values.length === 0 ? (
    'All'
  ) : (
    <Group component="span" gap={4}>
      {values.map((value) => (
        <Code key={value}>{value}</Code>
      ))}
    </Group>
  );

const labels = (values: readonly string[]): string => (values.length === 0 ? 'All' : values.map(enumLabel).join(', '));

const WebhookDescription = ({ endpoint }: EndpointProps) => (
  <>
    <StateAlert endpoint={endpoint} />
    <Section title="Details">
      <DescriptionList
        items={[
          ['Account', <AccountLink key="account" {...endpoint.account} />],
          ['Last success', <Timestamp key="success" at={endpoint.lastSuccessAt} fallback="Never" />],
          ['Failing since', endpoint.failingSince && <Timestamp key="failing" at={endpoint.failingSince} />],
          ['Created', <Timestamp key="created" at={endpoint.createdAt} />],
          ['Updated', <Timestamp key="updated" at={endpoint.updatedAt} />],
          ['Event types', <Codes key="types" values={endpoint.types} />],
          ['Areas', labels(endpoint.areas)],
          ['Sports', labels(endpoint.sports)],
          ['Competitions', <Codes key="competitions" values={endpoint.competitionIds} />],
          ['Organizations', <Codes key="organizations" values={endpoint.organizationIds} />],
          ['Scopes of deliveries', endpoint.scopes.length === 0 ? 'None' : <Codes key="scopes" values={endpoint.scopes} />],
          ['Version', endpoint.version],
        ]}
      />
    </Section>
  </>
);

/** Explains why the endpoint receives nothing. */
function StateAlert({ endpoint: { disabledReason, disabledAt, failingSince } }: EndpointProps) {
  if (disabledReason !== null)
    return (
      <Alert color="orange" icon={<IconAlertTriangle />} mb="lg" title="This webhook endpoint is disabled">
        {disabledReasons[disabledReason]}, at <Timestamp at={disabledAt} />. It gets no new deliveries.
      </Alert>
    );
  if (failingSince === null) return null;
  return (
    <Alert color="orange" icon={<IconAlertTriangle />} mb="lg" title="This webhook endpoint is failing">
      All attempts since <Timestamp at={failingSince} /> failed. After five days, the platform disables it.
    </Alert>
  );
}

const secretColumns: readonly Column<WebhookDetails['secrets'][number]>[] = [
  { title: 'Secret', cell: ({ prefix }) => <Code>{prefix}…</Code> },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  { title: 'Signs until', cell: ({ expiresAt }) => <Timestamp at={expiresAt} fallback="Current secret" /> },
];

const Secrets = ({ secrets }: Pick<WebhookDetails, 'secrets'>) => (
  <Section title="Secrets">
    <DataTable
      label="Secrets"
      columns={secretColumns}
      rows={secrets}
      rowKey={({ createdAt }) => createdAt}
      empty={<EmptyState title="No secrets" />}
    />
  </Section>
);

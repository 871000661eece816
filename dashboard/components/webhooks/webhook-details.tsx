/** The details of a webhook endpoint, why it receives nothing, and its secrets. */
import { Alert, Code, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { WebhookEndpointQuery } from '../../generated/graphql.ts';
import { useDataMode } from '../../graph/data-mode.ts';
import { CopyableId } from '../copyable-id.tsx';
import { DataTable, type Column } from '../data-table.tsx';
import { DescriptionList } from '../description-list.tsx';
import { EmptyState } from '../empty-state.tsx';
import { enumLabel } from '../enum-label.ts';
import { Section } from '../section.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { TestBadge } from '../test-badge.tsx';
import { Timestamp } from '../timestamp.tsx';
import { disabledReasons, webhookStatusOf } from './webhook-status.ts';

/** What the screens of the dashboard and the portal select. */
export type WebhookDetails = Omit<NonNullable<WebhookEndpointQuery['webhookEndpoint']>, 'account'>;

interface EndpointProps {
  readonly endpoint: WebhookDetails;
}

export const WebhookHeader = ({ endpoint }: EndpointProps) => (
  <Group component="span" gap="xs">
    <Text component="span" ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
      {endpoint.url}
    </Text>
    <StatusBadge status={webhookStatusOf(endpoint)} />
    <TestBadge mode={useDataMode()} />
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

interface WebhookDescriptionProps extends EndpointProps {
  /** Further details, in front of the others. */
  readonly items?: readonly (readonly [name: string, value: ReactNode])[];
}

export const WebhookDescription = ({ endpoint, items = [] }: WebhookDescriptionProps) => (
  <>
    <StateAlert endpoint={endpoint} />
    <Section title="Details">
      <DescriptionList
        items={[
          ...items,
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
          ['Endpoint ID', <CopyableId key="id" label="endpoint ID" id={endpoint.id} />],
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

export const WebhookSecrets = ({ secrets }: Pick<WebhookDetails, 'secrets'>) => (
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

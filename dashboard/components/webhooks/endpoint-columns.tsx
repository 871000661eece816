/** The columns and the filter choices of the lists of webhook endpoints. */
import { Stack, Text } from '@mantine/core';
import type { WebhookEndpointsQuery } from '../../generated/graphql.ts';
import type { Column } from '../data-table.tsx';
import { StatusBadge } from '../status-badge.tsx';
import { Timestamp } from '../timestamp.tsx';
import { WebhookLink } from './webhook-link.tsx';
import { disabledReasons, webhookStatusOf } from './webhook-status.ts';

type Endpoint = Omit<NonNullable<WebhookEndpointsQuery['webhookEndpoints']>['nodes'][number], 'account'>;

export const endpointColumn: Column<Endpoint> = {
  title: 'Webhook endpoint',
  cell: ({ id, url, description }) => (
    <Stack gap={0} maw={400} miw={220}>
      <Text component="div" inherit fw={500} style={{ overflowWrap: 'anywhere' }}>
        <WebhookLink id={id} name={url} />
      </Text>
      {description !== null && (
        <Text size="xs" c="dimmed">
          {description}
        </Text>
      )}
    </Stack>
  ),
};

export const endpointStateColumns: readonly Column<Endpoint>[] = [
  {
    title: 'Status',
    cell: (endpoint) => (
      <Stack gap={2} align="flex-start">
        <StatusBadge status={webhookStatusOf(endpoint)} />
        {endpoint.disabledReason !== null && (
          <Text size="xs" c="dimmed">
            {disabledReasons[endpoint.disabledReason]}
          </Text>
        )}
      </Stack>
    ),
  },
  { title: 'Event types', cell: ({ types }) => (types.length === 0 ? 'All' : types.length), numeric: true },
  { title: 'Failing since', cell: ({ failingSince }) => <Timestamp at={failingSince} /> },
  { title: 'Last success', cell: ({ lastSuccessAt }) => <Timestamp at={lastSuccessAt} fallback="Never" /> },
  { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
];

export const failingChoices = [
  { value: 'YES', label: 'Failed' },
  { value: 'NO', label: 'Succeeded, or none' },
];

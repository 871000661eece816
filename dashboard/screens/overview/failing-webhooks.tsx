/** The webhooks of the overview: endpoints that fail, and events that wait for their delivery. */
import { Anchor, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OverviewWebhooksQuery } from '../../generated/graphql.ts';
import { refetchEveryMs, useGraphQuery } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { AccountLink } from '../../components/links.tsx';
import { WebhookLink } from '../../components/webhooks/webhook-link.tsx';
import { formatCount, formatDuration } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Section } from '../../components/section.tsx';
import { Timestamp } from '../../components/timestamp.tsx';

const webhooksQuery = graphql(`
  query OverviewWebhooks {
    webhookOverview {
      failing
      disabled
      lag
      oldestSeconds
      longestFailing(first: 5) {
        id
        url
        failingSince
        account {
          id
          name
        }
      }
    }
  }
`);

type Overview = NonNullable<OverviewWebhooksQuery['webhookOverview']>;

const columns: readonly Column<Overview['longestFailing'][number]>[] = [
  { title: 'Webhook endpoint', cell: ({ id, url }) => <WebhookLink id={id} name={url} /> },
  { title: 'Account', cell: ({ account }) => <AccountLink {...account} /> },
  { title: 'Failing since', cell: ({ failingSince }) => <Timestamp at={failingSince} /> },
];

interface CountLinkProps {
  readonly count: number;
  readonly search: { readonly status: 'ENABLED' | 'DISABLED'; readonly failing?: 'YES' };
}

const CountLink = ({ count, search }: CountLinkProps) =>
  count === 0 ? (
    '0'
  ) : (
    <Anchor inherit underline="always" renderRoot={(props) => <Link to="/webhooks" search={search} {...props} />}>
      {formatCount(count)}
    </Anchor>
  );

export function FailingWebhooks() {
  const overview = useGraphQuery(webhooksQuery, {}, { refetchEveryMs });
  return (
    <Section title="Webhooks">
      <QueryResult query={overview} name="webhooks" lines={4}>
        {({ webhookOverview }) => webhookOverview && <Figures overview={webhookOverview} />}
      </QueryResult>
    </Section>
  );
}

const lagMax = 10_000;

/** The number of events that wait for the worker, and the age of the oldest. */
function waitingText({ lag, oldestSeconds }: Overview): string {
  const count = lag === lagMax ? `${formatCount(lag)} or more` : formatCount(lag);
  return oldestSeconds === null ? count : `${count}, the oldest for ${formatDuration(oldestSeconds * 1_000)}`;
}

const Figures = ({ overview }: { readonly overview: Overview }) => (
  <Stack gap="md">
    <DescriptionList
      items={[
        ['Failing', <CountLink key="failing" count={overview.failing} search={{ status: 'ENABLED', failing: 'YES' }} />],
        [
          'Disabled after failures, last 7 days',
          <CountLink key="disabled" count={overview.disabled} search={{ status: 'DISABLED' }} />,
        ],
        ['Waiting events', waitingText(overview)],
      ]}
    />
    <DataTable
      label="Failing webhook endpoints"
      columns={columns}
      rows={overview.longestFailing}
      rowKey={({ id }) => id}
      empty={<EmptyState title="No failing webhook endpoints">The last attempt of each webhook endpoint succeeded.</EmptyState>}
    />
  </Stack>
);

/** The latest audit log entries of one resource. */
import { Button, Code, Group, List, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { Area, HistoryQuery } from '../generated/graphql.ts';
import { graphql } from '../graph/graphql.ts';
import { useGraphQuery } from '../graph/operations.ts';
import { actionLabel, actorLabel } from './audit-labels.ts';
import { EmptyState } from './empty-state.tsx';
import { QueryResult } from './query-result.tsx';
import { ScrollableTable } from './scrollable-table.tsx';
import { Section } from './section.tsx';
import { Timestamp } from './timestamp.tsx';
import { WithheldNotice } from './withheld-notice.tsx';

const historyQuery = graphql(`
  query History($first: Int!, $filter: AuditFilter!) {
    auditEntries(first: $first, filter: $filter) {
      nodes {
        id
        at
        action
        version
        reason
        withheld
        actor {
          kind
          keyId
          key {
            name
          }
          address
          administratorId
          administrator {
            name
          }
          user {
            name
          }
        }
        changes {
          field
          before
          after
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

type Entry = NonNullable<HistoryQuery['auditEntries']>['nodes'][number];

const initialLength = 10;
const maxLength = 100;

interface HistoryProps {
  /** Default: the accounts area. */
  readonly area?: Area;
  readonly resourceType:
    | 'api_key'
    | 'account'
    | 'announcement'
    | 'athlete'
    | 'incident'
    | 'organization'
    | 'plan'
    | 'plan_request'
    | 'portal_user'
    | 'verification_request'
    | 'webhook_endpoint';
  readonly resourceId: string;
}

export function History({ area = 'ACCOUNTS', resourceType, resourceId }: HistoryProps) {
  const [first, setFirst] = useState(initialLength);
  const history = useGraphQuery(historyQuery, { first, filter: { area, resourceType, resourceId } });
  return (
    <Section title="History">
      <QueryResult query={history} name="history" lines={3}>
        {({ auditEntries: page }) => (
          <>
            <Entries entries={page?.nodes ?? []} />
            {page?.pageInfo.nextCursor != null && first < maxLength && (
              <Button variant="default" size="xs" mt="sm" onClick={() => setFirst(maxLength)}>
                Show more
              </Button>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}

function Entries({ entries }: { readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return <EmptyState title="No history yet" />;
  return (
    <ScrollableTable label="History" verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Time</Table.Th>
          <Table.Th>Actor</Table.Th>
          <Table.Th>Action</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Table.Tr key={entry.id} style={{ verticalAlign: 'top' }}>
            <Table.Td>
              <Timestamp at={entry.at} seconds />
            </Table.Td>
            <Table.Td>
              <Text inherit>{actorLabel(entry.actor)}</Text>
              {entry.actor.address !== null && (
                <Text size="xs" c="dimmed">
                  {entry.actor.address}
                </Text>
              )}
            </Table.Td>
            <Table.Td miw={260}>
              <Stack gap={4}>
                <Text inherit fw={500}>
                  {actionLabel(entry.action)}
                  {entry.reason !== null && `: ${entry.reason}`}
                </Text>
                {entry.withheld ? <WithheldNotice /> : <Changes entry={entry} />}
              </Stack>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollableTable>
  );
}

/** The changed fields. Omitted for the first version, whose fields the screen displays. */
function Changes({ entry: { version, changes } }: { readonly entry: Entry }) {
  const relevant = version === 1 ? [] : changes.filter(({ field }) => field !== 'updatedAt' && field !== 'version');
  if (relevant.length === 0) return null;
  return (
    <List listStyleType="none" size="xs" spacing={2}>
      {relevant.map(({ field, before, after }) => (
        <List.Item key={field}>
          <Group gap={4} component="span">
            <span>{field}:</span>
            <Code>{before ?? 'empty'}</Code>
            <span aria-label="changed to">→</span>
            <Code>{after ?? 'empty'}</Code>
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

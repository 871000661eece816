/** What was done to one thing of the accounts area, by whom and from where, the latest first. */
import { Button, Code, Group, List, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import type { HistoryQuery } from '../generated/graphql.ts';
import { useAsk } from '../graph/ask.ts';
import { graphql } from '../graph/graphql.ts';
import { Answered } from './answered.tsx';
import { Empty } from './empty.tsx';
import { Moment } from './moment.tsx';
import { Section } from './section.tsx';

const historyQuery = graphql(`
  query History($first: Int!, $filter: AuditFilter!) {
    auditEntries(first: $first, filter: $filter) {
      nodes {
        id
        at
        action
        version
        reason
        actor {
          kind
          keyId
          address
          administrator {
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

const few = 10;
const most = 100;

interface HistoryProps {
  readonly resourceType: 'api_key' | 'account' | 'plan';
  readonly resourceId: string;
}

export function History({ resourceType, resourceId }: HistoryProps) {
  const [first, setFirst] = useState(few);
  const history = useAsk(historyQuery, { first, filter: { area: 'ACCOUNTS', resourceType, resourceId } });
  return (
    <Section title="History">
      <Answered of={history} name="the history" lines={3}>
        {({ auditEntries: page }) => (
          <>
            <Entries of={page?.nodes ?? []} />
            {page?.pageInfo.nextCursor != null && first < most && (
              <Button variant="default" size="xs" mt="sm" onClick={() => setFirst(most)}>
                Show more
              </Button>
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Entries({ of }: { readonly of: readonly Entry[] }) {
  if (of.length === 0) return <Empty title="Nothing was done yet" />;
  return (
    <div role="region" aria-label="History, as a table" tabIndex={0} style={{ overflowX: 'auto' }}>
      <Table verticalSpacing="xs" aria-label="History">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th>Who</Table.Th>
            <Table.Th>What</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map((entry) => (
            <Table.Tr key={entry.id} style={{ verticalAlign: 'top' }}>
              <Table.Td>
                <Moment at={entry.at} seconds />
              </Table.Td>
              <Table.Td>
                <Text inherit>{whoDid(entry)}</Text>
                {entry.actor.address !== null && (
                  <Text size="xs" c="dimmed">
                    {entry.actor.address}
                  </Text>
                )}
              </Table.Td>
              <Table.Td miw={260}>
                <Stack gap={4}>
                  <Text inherit fw={500}>
                    {entry.action}
                    {entry.reason !== null && `: ${entry.reason}`}
                  </Text>
                  <Changes of={entry} />
                </Stack>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function whoDid({ actor }: Entry): string {
  if (actor.kind === 'ADMINISTRATOR') return actor.administrator?.name ?? 'An administrator';
  return actor.kind === 'KEY' ? (actor.keyId ?? 'A key') : 'The platform';
}

/** Of what was created nothing was before: its members say nothing that the screen does not. */
function Changes({ of: { version, changes } }: { readonly of: Entry }) {
  const told = version === 1 ? [] : changes.filter(({ field }) => field !== 'updatedAt' && field !== 'version');
  if (told.length === 0) return null;
  return (
    <List listStyleType="none" size="xs" spacing={2}>
      {told.map(({ field, before, after }) => (
        <List.Item key={field}>
          <Group gap={4} component="span">
            <span>{field}:</span>
            <Code>{before ?? 'nothing'}</Code>
            <span aria-label="becomes">→</span>
            <Code>{after ?? 'nothing'}</Code>
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

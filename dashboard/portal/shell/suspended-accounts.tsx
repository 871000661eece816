/** The statements of suspended accounts of the user: what their members still read, because the accounts owe them. */
import { Anchor, List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { QueryResult } from '../../components/query-result.tsx';
import { Section } from '../../components/section.tsx';
import { app } from '../../graph/app.ts';
import type { RequestError } from '../../graph/request-error.ts';
import { requestJson } from '../../graph/request.ts';
import type { Membership } from '../../session/session.ts';
import { useUser } from '../session/account.ts';

interface Months {
  readonly data: readonly { readonly month: string }[];
}

export function SuspendedAccounts() {
  const suspended = (useUser()?.memberships ?? []).filter(({ account }) => account.status === 'SUSPENDED');
  return suspended.map(({ account }) => <Statements key={account.id} account={account} />);
}

function Statements({ account: { id, name } }: Pick<Membership, 'account'>) {
  const path = `${app.base}/accounts/${id}/statements`;
  const query = useQuery<Months, RequestError>({ queryKey: ['statements', id], queryFn: () => requestJson<Months>(path) });
  return (
    <Section title={`Statements of ${name}`}>
      <Text>This account is suspended. Its API keys are rejected, and you can read only its statements.</Text>
      <QueryResult query={query} name="statements" lines={3}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">No statements</Text>
          ) : (
            <List>
              {data.map(({ month }) => (
                <List.Item key={month}>
                  <Anchor href={`${path}/${month}`} target="_blank" underline="always">
                    {month}
                  </Anchor>
                </List.Item>
              ))}
            </List>
          )
        }
      </QueryResult>
    </Section>
  );
}

/** The drawer with everything that the log has of a request. */
import { Anchor, Code, Drawer, Group, List, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { errors, isErrorCode } from '../../../schema/errors.ts';
import type { LoggedRequestQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { useGraphQuery } from '../../graph/operations.ts';
import { DescriptionList } from '../../components/description-list.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { enumLabel } from '../../components/enum-label.ts';
import { AccountLink, KeyLink } from '../../components/links.tsx';
import { formatCount, formatDuration } from '../../components/number-format.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { operationName } from './operation-name.ts';
import { RequestOutcome } from './request-outcome.tsx';

const requestQuery = graphql(`
  query LoggedRequest($id: ID!) {
    request(id: $id) {
      id
      at
      key
      api
      method
      path
      operation
      documentHash
      area
      status
      errorCode
      errorPointers
      durationMs
      units
      requestId
      network
      userAgent
      account {
        id
        name
      }
      apiKey {
        id
        name
      }
    }
  }
`);

type RequestDetails = NonNullable<LoggedRequestQuery['request']>;

interface RequestDrawerProps {
  /** Null while the drawer is closed. */
  readonly id: string | null;
  readonly close: () => void;
}

export const RequestDrawer = ({ id, close }: RequestDrawerProps) => (
  <Drawer opened={id !== null} onClose={close} position="right" size="xl" title="Request">
    {id !== null && <Details id={id} />}
  </Drawer>
);

function Details({ id }: { readonly id: string }) {
  const query = useGraphQuery(requestQuery, { id });
  return (
    <QueryResult query={query} name="request">
      {({ request }) =>
        request === null ? (
          <EmptyState title="Request not found">Requests are retained for 7 or 30 days, as the plan of the key says.</EmptyState>
        ) : (
          <Request request={request} />
        )
      }
    </QueryResult>
  );
}

function Request({ request }: { readonly request: RequestDetails }) {
  const { account, apiKey, errorCode, errorPointers, documentHash, area, network, userAgent } = request;
  return (
    <Stack>
      <Group gap="xs">
        <RequestOutcome status={request.status} errorCode={null} />
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {operationName(request.api, request.operation)}
        </Text>
      </Group>
      <DescriptionList
        items={[
          ['Time', <Timestamp key="time" at={request.at} seconds />],
          ['Request ID', <Code key="request">{request.requestId}</Code>],
          ['Method', request.method],
          ['Path', request.path],
          ['Document hash', documentHash],
          ['Area', area === null ? null : enumLabel(area)],
          ['Duration', formatDuration(request.durationMs)],
          ['Units', formatCount(request.units)],
          ['API key', apiKey === null ? request.key : <KeyLink key="key" {...apiKey} />],
          ['Public ID', request.key],
          ['Account', account === null ? null : <AccountLink key="account" {...account} />],
          ['Network', network],
          ['User agent', userAgent],
          ['Log ID', request.id],
        ]}
      />
      {errorCode !== null && <ErrorDetails code={errorCode} pointers={errorPointers} />}
      <Anchor renderRoot={(props) => <Link to="/requests" search={{ key: request.key }} {...props} />}>
        All requests of this API key
      </Anchor>
    </Stack>
  );
}

const ErrorDetails = ({ code, pointers }: { readonly code: string; readonly pointers: readonly string[] }) => (
  <Stack component="section" gap="xs" aria-label="Error">
    <Title order={3} size="h5">
      Error
    </Title>
    <Text>
      <Code>{code}</Code>
      {isErrorCode(code) && ` ${errors[code].title}`}
    </Text>
    {pointers.length > 0 && (
      <>
        <Text size="sm" c="dimmed">
          Members and parameters that the error names. Values are not logged.
        </Text>
        <List size="sm">
          {pointers.map((pointer, index) => (
            <List.Item key={`${index} ${pointer}`}>
              <Code>{pointer}</Code>
            </List.Item>
          ))}
        </List>
      </>
    )}
  </Stack>
);

/** The drawer with everything that the log has of a request, in the dashboard and the portal. */
import { Anchor, Code, Drawer, Group, List, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { errors, isErrorCode } from '../../../schema/errors.ts';
import type { RequestApi } from '../../generated/graphql.ts';
import { CopyableId } from '../copyable-id.tsx';
import { DescriptionList } from '../description-list.tsx';
import { EmptyState } from '../empty-state.tsx';
import { enumLabel } from '../enum-label.ts';
import { formatCount, formatDuration } from '../number-format.ts';
import { Timestamp } from '../timestamp.tsx';
import { operationName } from './operation-name.ts';
import { RequestOutcome } from './request-outcome.tsx';

/** Everything that the log has of a request. */
export interface LoggedRequestDetails {
  readonly id: string;
  readonly at: string;
  readonly key: string;
  readonly api: RequestApi;
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  readonly documentHash: string | null;
  readonly area: string | null;
  readonly status: number;
  readonly errorCode: string | null;
  readonly errorPointers: readonly string[];
  readonly durationMs: number;
  readonly units: number;
  readonly requestId: string;
  readonly network: string | null;
  readonly userAgent: string | null;
}

interface RequestDrawerProps {
  /** Null while the drawer is closed. */
  readonly id: string | null;
  readonly close: () => void;
  /** The details of the request. */
  readonly children: (id: string) => ReactNode;
}

export const RequestDrawer = ({ id, close, children }: RequestDrawerProps) => (
  <Drawer opened={id !== null} onClose={close} position="right" size="xl" title="Request">
    {id !== null && children(id)}
  </Drawer>
);

export const RequestNotFound = () => (
  <EmptyState title="Request not found">Requests are retained for 7 or 30 days, as the plan of the key says.</EmptyState>
);

interface RequestDetailsProps {
  readonly request: LoggedRequestDetails;
  /** Whose request it is: names and links. */
  readonly owner: readonly (readonly [name: string, value: ReactNode])[];
}

export function RequestDetails({ request, owner }: RequestDetailsProps) {
  const { errorCode, errorPointers, documentHash, area, network, userAgent } = request;
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
          ['Request ID', <CopyableId key="request" label="request ID" id={request.requestId} />],
          ['Method', request.method],
          ['Path', request.path],
          ['Document hash', documentHash && <CopyableId key="hash" label="document hash" id={documentHash} />],
          ['Area', area === null ? null : enumLabel(area)],
          ['Duration', formatDuration(request.durationMs)],
          ['Units', formatCount(request.units)],
          ...owner,
          ['Public ID', <CopyableId key="public" label="public ID" id={request.key} />],
          ['Network', network],
          ['User agent', userAgent],
          ['Log ID', <CopyableId key="log" label="log ID" id={request.id} />],
        ]}
      />
      {errorCode !== null && <ErrorDetails code={errorCode} pointers={errorPointers} />}
      <Anchor underline="always" renderRoot={(props) => <Link to="/requests" search={{ key: request.key }} {...props} />}>
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

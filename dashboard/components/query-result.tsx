/** Renders the state of a query: a skeleton while it loads, an error with a retry button, or its data. */
import { Alert, Box, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMatches } from '@tanstack/react-router';
import { createContext, useContext, type ReactNode } from 'react';
import type { RequestError } from '../graph/request-error.ts';

interface QueryResultProps<Data> {
  readonly query: UseQueryResult<Data, RequestError>;
  /** What is loading, for screen readers: "plans". */
  readonly name: string;
  /** Lines of the skeleton. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

/** The platform does not respond (outage banner), or the session has ended (sign-in dialog). */
const reportedCodes: ReadonlySet<string> = new Set(['unreachable', 'sign_in_required']);

const StaleContext = createContext(false);

/** Whether the data around the component are those of the previous filters or page, because the new ones are being loaded. */
export const useIsStale = (): boolean => useContext(StaleContext);

export function QueryResult<Data>({ query, name, lines = 8, children }: QueryResultProps<Data>) {
  const isInFrame = useMatches({ select: (matches) => matches.some(({ routeId }) => routeId === '/signed-in') });
  // the frame has one message for all queries of the page
  const isReported = isInFrame && query.error !== null && reportedCodes.has(query.error.code);
  const error = query.error && !isReported && <ErrorAlert error={query.error} retry={() => void query.refetch()} />;
  if (query.data !== undefined)
    return (
      <Box aria-busy={query.isPlaceholderData} opacity={query.isPlaceholderData ? 0.6 : 1}>
        {error}
        <StaleContext value={query.isPlaceholderData}>{children(query.data)}</StaleContext>
      </Box>
    );
  if (error) return error;
  if (isReported) return <Text c="dimmed">Not loaded yet.</Text>;
  return (
    <Stack gap="sm" role="status" aria-label={`Loading ${name}`}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={28} width={line === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  );
}

/** An error message with its code and request id. */
export function ErrorAlert({ error, retry }: { readonly error: RequestError; readonly retry?: () => void }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="Request failed" role="alert" mb="md">
      <Stack gap="xs" align="flex-start">
        <Text>{error.message}</Text>
        <Group gap="xs">
          <Code>{error.code}</Code>
          {error.requestId !== null && <Code>request {error.requestId}</Code>}
        </Group>
        {retry && (
          <Button size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

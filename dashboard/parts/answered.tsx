/** What is shown of an answer: its shape while it is awaited, what went wrong and what to do, or the answer. */
import { Alert, Box, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Failure } from '../graph/failure.ts';

interface AnsweredProps<Data> {
  readonly of: UseQueryResult<Data, Failure>;
  /** What is awaited, for who hears it: "plans". */
  readonly name: string;
  /** Lines of the skeleton. */
  readonly lines?: number;
  readonly children: (data: Data) => ReactNode;
}

export function Answered<Data>({ of, name, lines = 8, children }: AnsweredProps<Data>) {
  if (of.data !== undefined)
    return (
      <Box aria-busy={of.isPlaceholderData} opacity={of.isPlaceholderData ? 0.6 : 1}>
        {of.error && <Refused failure={of.error} retry={() => void of.refetch()} />}
        {children(of.data)}
      </Box>
    );
  if (of.error) return <Refused failure={of.error} retry={() => void of.refetch()} />;
  return (
    <Stack gap="sm" role="status" aria-label={`Loading ${name}`}>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={28} width={line === 0 ? '40%' : '100%'} />
      ))}
    </Stack>
  );
}

/** A refusal with its code and request id, and a way on. */
export function Refused({ failure, retry }: { readonly failure: Failure; readonly retry?: () => void }) {
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle />} title="This could not be shown" role="alert" mb="md">
      <Stack gap="xs" align="flex-start">
        <Text>{failure.message}</Text>
        <Group gap="xs">
          <Code>{failure.code}</Code>
          {failure.requestId !== null && <Code>request {failure.requestId}</Code>}
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

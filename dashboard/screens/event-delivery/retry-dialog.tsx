/** Confirms the retry of dead letters, and displays how many will be retried. */
import { Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Area } from '../../generated/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';
import { graphql } from '../../graph/graphql.ts';
import { FormButtons } from '../../components/form-buttons.tsx';
import { formatCount } from '../../components/number-format.ts';

const retryMutation = graphql(`
  mutation RetryDeadLetters($area: Area!, $consumer: String!, $eventIds: [ID!]) {
    retryDeadLetters(area: $area, consumer: $consumer, eventIds: $eventIds) {
      requested
    }
  }
`);

export interface Retry {
  /** Null: all dead letters of the consumer. */
  readonly eventIds: readonly string[] | null;
  readonly count: number;
}

interface RetryDialogProps {
  readonly area: Area;
  readonly consumer: string;
  /** The retry to confirm; null: closed. */
  readonly retry: Retry | null;
  readonly close: () => void;
  readonly onRequested: () => void;
}

const letters = (count: number): string => (count === 1 ? '1 dead letter' : `${formatCount(count)} dead letters`);

export function RetryDialog({ area, consumer, retry, close, onRequested }: RetryDialogProps) {
  const request = useGraphMutation(retryMutation, {
    onSuccess: ({ retryDeadLetters: { requested } }) => {
      const message = requested === 0 ? 'There are no dead letters to retry' : `Retrying ${letters(requested)}`;
      notifications.show({ message, color: 'teal' });
      onRequested();
      close();
    },
  });
  return (
    <Modal opened={retry !== null} onClose={close} title={`Retry ${letters(retry?.count ?? 0)}?`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (retry !== null) request.mutate({ area, consumer, eventIds: retry.eventIds && [...retry.eventIds] });
        }}
      >
        <Stack>
          <Text>
            The consumer <strong>{consumer}</strong> applies the current state of the resources within a few seconds. Events that
            fail again stay in the list. Fix the cause first: the log of the relay has the message of each error.
          </Text>
          <FormButtons submit="Retry" isPending={request.isPending} cancel={close} autoFocus />
        </Stack>
      </form>
    </Modal>
  );
}

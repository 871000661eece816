/** Repeats a delivery of a webhook endpoint now. */
import { graphql } from '../../graph/graphql.ts';
import { useGraphMutation } from '../../graph/operations.ts';

const retryMutation = graphql(`
  mutation RetryWebhookDelivery($endpointId: ID!, $id: ID!) {
    retryWebhookDelivery(endpointId: $endpointId, id: $id) {
      id
    }
  }
`);

interface RetryDelivery {
  readonly retry: (id: string) => void;
  /** The delivery whose retry is being requested; null if none. */
  readonly pendingId: string | null;
}

/** `onRequested` is called when the platform accepted the retry. */
export function useRetryDelivery(endpointId: string, onRequested: () => void): RetryDelivery {
  const { mutate, isPending, variables } = useGraphMutation(retryMutation, {
    successMessage: 'Retry requested',
    onSuccess: onRequested,
  });
  return { retry: (id) => mutate({ endpointId, id }), pendingId: isPending ? variables.id : null };
}

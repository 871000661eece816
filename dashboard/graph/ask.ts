/** Asks the admin graph: `useAsk` for what a screen shows, `useChange` for what a person does there. */
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { Failure } from './failure.ts';
import type { Document } from './graphql.ts';
import { request, type Asked } from './request.ts';

/** The data of an operation. Throws Failure. */
export async function ask<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  asked: Pick<Asked, 'signal' | 'background'> = {},
): Promise<Data> {
  const body = { query: document.toString(), variables };
  const answer = (await request('/admin/graphql', { method: 'POST', body, ...asked })) as { data: Data };
  return answer.data;
}

/** Asks, and asks again every `everyMs` while the page is looked at. What was shown stays until the next answer is there. */
export function useAsk<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { everyMs, enabled = true }: { readonly everyMs?: number; readonly enabled?: boolean } = {},
): UseQueryResult<Data, Failure> {
  const queryKey = [document.toString(), variables];
  const client = useQueryClient();
  return useQuery<Data, Failure>({
    queryKey,
    queryFn: ({ signal }) => {
      const background = everyMs !== undefined && client.getQueryData(queryKey) !== undefined;
      return ask(document, variables, { signal, background });
    },
    placeholderData: keepPreviousData,
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

/**
 * Changes something; then everything that is shown is asked again.
 * A refusal that names no field is told in a notification; `form.setErrors(faultsByField(failure))` shows the others where they belong.
 */
export function useChange<Data, Variables>(
  document: Document<Data, Variables>,
  {
    done,
    said,
    refused,
    secret = false,
  }: {
    /** What to do with the answer. */
    readonly done?: (data: Data) => void;
    /** What to say when it is done: "Key revoked". */
    readonly said?: string;
    /** What to do with a refusal; true: it has been told, and no notification need. */
    readonly refused?: (failure: Failure) => unknown;
    /** Whether the answer is kept nowhere once the screen has shown it. */
    readonly secret?: boolean;
  } = {},
): UseMutationResult<Data, Failure, Variables> {
  const client = useQueryClient();
  return useMutation<Data, Failure, Variables>({
    mutationFn: (variables) => ask(document, variables),
    onSuccess: (data) => {
      void client.invalidateQueries();
      if (said !== undefined) notifications.show({ message: said, color: 'teal' });
      done?.(data);
    },
    onError: (failure) => {
      const told = refused?.(failure) === true;
      if (!told && (refused === undefined || failure.violations.length === 0)) tell(failure);
    },
    ...(secret && { gcTime: 0 }),
  });
}

/** Tells what was refused, with what the log is searched by. */
export function tell({ message, code, requestId }: Failure): void {
  const named = requestId === null ? code : `${code} · request ${requestId}`;
  notifications.show({ title: message, message: named, color: 'red', autoClose: 10_000 });
}

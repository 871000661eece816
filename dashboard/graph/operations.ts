/** Runs GraphQL operations against the graph of the app: `useGraphQuery` reads data, `useGraphMutation` changes it. */
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { app, selectedAccount } from './app.ts';
import { useDataMode, type DataMode } from './data-mode.ts';
import type { Document } from './graphql.ts';
import type { RequestError } from './request-error.ts';
import { requestJson, type RequestOptions } from './request.ts';

/** The interval at which the screens with live data refetch. */
export const refetchEveryMs = 15_000;

interface OperationOptions extends Pick<RequestOptions, 'signal' | 'background'> {
  /** Default: the data of the platform. */
  readonly mode?: DataMode;
}

/** Runs one operation and returns its data. Throws RequestError. */
export async function runOperation<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { mode = 'LIVE', ...options }: OperationOptions = {},
): Promise<Data> {
  const body = { query: document.toString(), variables };
  const account = selectedAccount.get();
  const headers = {
    ...(account !== null && { 'x-account-id': account }),
    ...(mode === 'TEST' && { 'x-data-mode': mode }),
  };
  const { data } = await requestJson<{ data: Data }>(`${app.base}/graphql`, { method: 'POST', body, headers, ...options });
  return data;
}

/**
 * Runs a query, and repeats it every `refetchEveryMs` while the page is visible.
 * The previous data stays visible until the new data arrives, except those of the other mode.
 */
export function useGraphQuery<Data, Variables>(
  document: Document<Data, Variables>,
  variables: Variables,
  { refetchEveryMs: refetchInterval, enabled = true }: { readonly refetchEveryMs?: number; readonly enabled?: boolean } = {},
): UseQueryResult<Data, RequestError> {
  const mode = useDataMode();
  const queryKey = [document.toString(), variables, selectedAccount.get(), mode];
  const client = useQueryClient();
  return useQuery<Data, RequestError>({
    queryKey,
    queryFn: ({ signal }) => {
      const background = refetchInterval !== undefined && client.getQueryData(queryKey) !== undefined;
      return runOperation(document, variables, { signal, background, mode });
    },
    placeholderData: (previous, query) => (query?.queryKey.at(-1) === mode ? previous : undefined),
    enabled,
    ...(refetchInterval !== undefined && { refetchInterval }),
  });
}

interface MutationOptions<Data> {
  readonly onSuccess?: (data: Data) => void;
  /** Text of the success notification: "API key revoked". */
  readonly successMessage?: string;
  /** Returns true when it displays the error, which suppresses the notification. */
  readonly onError?: (error: RequestError) => unknown;
  /** Whether the response contains a secret and must not stay in the cache. */
  readonly isSecret?: boolean;
}

/**
 * Runs a mutation, then refetches all queries of the page.
 * Errors that name no field are displayed as a notification. For the others, pass
 * `onError: (error) => form.setErrors(violationsByField(error))`.
 */
export function useGraphMutation<Data, Variables>(
  document: Document<Data, Variables>,
  { onSuccess, successMessage, onError, isSecret = false }: MutationOptions<Data> = {},
): UseMutationResult<Data, RequestError, Variables> {
  const client = useQueryClient();
  const mode = useDataMode();
  return useMutation<Data, RequestError, Variables>({
    mutationFn: (variables) => runOperation(document, variables, { mode }),
    onSuccess: (data) => {
      void client.invalidateQueries();
      if (successMessage !== undefined) notifications.show({ message: successMessage, color: 'teal' });
      onSuccess?.(data);
    },
    onError: (error) => {
      // the sign-in dialog opens over the form, which keeps its values
      if (error.code === 'sign_in_required') return;
      const isDisplayed = onError?.(error) === true;
      if (!isDisplayed && (onError === undefined || error.violations.length === 0)) notifyError(error);
    },
    ...(isSecret && { gcTime: 0 }),
  });
}

/** Displays an error as a notification, with its code and the request id for a search in the log. */
export function notifyError({ message, code, requestId }: RequestError): void {
  const details = requestId === null ? code : `${code} · request ${requestId}`;
  notifications.show({ title: message, message: details, color: 'red', autoClose: 10_000 });
}

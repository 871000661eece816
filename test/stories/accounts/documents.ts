/** Registers GraphQL documents, and sends requests that name them. */
import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';

export const documentIdOf = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

export const register = (client: Client, ...texts: readonly string[]): Promise<ApiResponse> =>
  client.post('/registered-documents/batch', { items: texts.map((text) => ({ text })) });

/** Registers a new document and returns its id. */
export async function registered(client: Client, text: string): Promise<string> {
  const { body } = await register(client, text);
  expect(body.data).toEqual([{ index: 0, outcome: 'CREATED', id: expect.any(String), version: 1, error: null }]);
  return body.data[0].id;
}

export interface GraphqlRequest {
  readonly documentId?: unknown;
  readonly query?: string;
  readonly variables?: object;
  readonly extensions?: object;
}

export async function send(graphqlUrl: string, key: string | null, body: GraphqlRequest): Promise<ApiResponse> {
  const response = await fetch(`${graphqlUrl}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'application/graphql-response+json',
      'content-type': 'application/json',
      ...(key !== null && { 'x-api-key': key }),
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

export const codeOf = ({ body }: ApiResponse): unknown => body.errors?.[0]?.extensions.code;
export const persisted = (text: string) => ({
  persistedQuery: { version: 1, sha256Hash: documentIdOf(text).slice('sha256:'.length) },
});

/** Issues test keys for tests. */
import { expect } from '@jest/globals';
import { createClient, type Client } from '../../client.ts';
import type { TestPlatform } from '../../test-platform.ts';

export type KeyedClient = Client & { readonly key: string };

/** The scopes of a test key. */
export const testScopes = [
  'organizations:write',
  'athletes:write',
  'competitions:write',
  'events:read',
  'webhooks:write',
  'requests:read',
];

/** Issues a test key of an account. The plan `free` has no write access: an account integrates before it chooses another one. */
export async function issueTestKey(
  platform: TestPlatform,
  accountName: string,
  plan = 'free',
  scopes: readonly string[] = testScopes,
): Promise<KeyedClient> {
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { mode publicId } } }';
  const input = { accountName, name: 'test', plan, mode: 'TEST', scopes };
  // Cast: the document selects it.
  const { issueApiKey } = (await platform.administer(issue, { input })) as {
    issueApiKey: { key: string; apiKey: { mode: string; publicId: string } };
  };
  const { key, apiKey } = issueApiKey;
  expect(apiKey).toMatchObject({ mode: 'TEST', publicId: expect.stringMatching(/^sp_test_[0-9A-Za-z]{12}$/) });
  return { ...createClient({ restUrl: platform.restUrl, graphqlUrl: platform.graphqlUrl, key }), key };
}

/** The input of an organization that is listed. */
export const club = (name: string) => ({ type: 'CLUB', name, country: 'NO', sports: ['FOOTBALL'], status: 'ACTIVE' });

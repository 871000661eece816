/** `npm run keys -- issue`: creates a key and prints it once. */
import { parseArgs } from 'node:util';
import { isAccountId, required, withAdministration } from './key-administration.ts';
import { expiryOf } from './key-texts.ts';

const commaSeparated = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** A command with which the new key can be tried. */
export const tryIt = (key: string): string => `  ${key}

Try it:
  curl -H "x-api-key: ${key}" http://localhost:4000/api/v1/me`;

export async function issue(args: string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = {
    account: text,
    plan: text,
    scopes: text,
    name: text,
    expires: text,
    allow: text,
    'registered-documents-only': { type: 'boolean' },
    test: { type: 'boolean' },
    quiet: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ args, options });
  const account = required(values.account, '--account');
  const input = {
    ...(isAccountId(account) ? { accountId: account } : { accountName: account }),
    plan: required(values.plan, '--plan'),
    mode: values.test ? 'TEST' : 'LIVE',
    scopes: commaSeparated(values.scopes),
    allowedCidrs: commaSeparated(values.allow),
    registeredDocumentsOnly: values['registered-documents-only'] ?? false,
    ...(values.name !== undefined && { name: values.name }),
    ...(values.expires !== undefined && { expiresAt: expiryOf(values.expires, new Date()) }),
  };
  await withAdministration(async ({ execute }) => {
    const { issueApiKey } = await execute<{
      issueApiKey: { key: string; apiKey: { account: { name: string }; expiresAt: string | null } };
    }>('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { expiresAt account { name } } } }', {
      input,
    });
    const { key, apiKey } = issueApiKey;
    if (values.quiet) return console.log(key);
    const expiry = apiKey.expiresAt === null ? 'without expiry' : `until ${apiKey.expiresAt}`;
    console.log(`Key for ${apiKey.account.name} on the plan "${input.plan}", ${expiry}. Keep it now: it is not shown again.

${tryIt(key)}`);
  });
}

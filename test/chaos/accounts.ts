/** The keys of the load: one without practical limits, and one whose plan has a small quota. */
import { openAccounts, type BenchDatabase } from '../../bench/database.ts';

/** Requests per day of the plan with the small quota. */
export const limitedPerDay = 600;

/** Creates the plan and a key. */
export async function issueLimitedKey(database: BenchDatabase): Promise<string> {
  const { execute, close } = await openAccounts(database);
  try {
    const limits = { burstPerMinute: 100_000, perDay: limitedPerDay, perMonth: limitedPerDay * 30 };
    const price = { amountMinor: 0, currency: 'EUR' };
    const plan = { code: 'limited', name: 'Limited', price, limits, writes: false, webhooks: 0, streams: 0 };
    await execute('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', { input: plan });
    const input = { accountName: 'Limited', name: 'limited', plan: 'limited', scopes: [] };
    const issued = await execute<{ readonly issueApiKey: { readonly key: string } }>(
      'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }',
      { input },
    );
    return issued.issueApiKey.key;
  } finally {
    await close();
  }
}

/** What answers tell of rates and quotas. */
import { expect } from '@jest/globals';
import type { Answer, Client } from '../../client.ts';

/** So many at once. */
export const repeat = <Result>(count: number, ask: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)));
/** How many answers have each status. */
export const statusCounts = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(answers, ({ status }) => status)].map(([status, group]) => [status, group.length]));
/** What is left, by window, from the header RateLimit. */
export const remainingOf = (header: string | null): Record<string, number> =>
  Object.fromEntries([...(header ?? '').matchAll(/"(\w+)";r=(\d+)/g)].map(([, name = '', count]) => [name, Number(count)]));

/** What a key has used, as GET /usage tells it. */
export const usageOf = async (client: Client, headers = {}): Promise<{ day: number; month: number }> => {
  const { status, body } = await client.get('/usage', headers);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { day: body.day.used, month: body.month.used };
};

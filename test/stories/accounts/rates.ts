/** Requests that consume quotas, and reads of rate limits and quotas from responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';

/** Runs concurrent requests. */
export const repeat = <Result>(count: number, send: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)));
/** Number of responses per status. */
export const statusCounts = (responses: readonly ApiResponse[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(responses, ({ status }) => status)].map(([status, group]) => [status, group.length]));
/** Repeats a request while its response is 503, as docs/errors.md advises: it is not charged. Gives up after the sixth response. */
export const untilAvailable =
  (send: (index: number) => Promise<ApiResponse>) =>
  async (index: number): Promise<ApiResponse> => {
    for (let repetitions = 0; ; repetitions += 1) {
      const response = await send(index);
      if (response.status !== 503 || repetitions === 5) return response;
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1_000);
    }
  };
/** Runs concurrent requests that must all succeed: a failed one is refunded, and would leave more of the quota than the test expects. */
export async function consumeQuota(count: number, send: (index: number) => Promise<ApiResponse>): Promise<void> {
  const failed = (await repeat(count, untilAvailable(send))).filter(({ status }) => status !== 200);
  expect(failed.map(({ status, body }) => ({ status, body }))).toEqual([]);
}
/** Remaining units per window, from the RateLimit header. */
export const remainingOf = (header: string | null): Record<string, number> =>
  Object.fromEntries([...(header ?? '').matchAll(/"(\w+)";r=(\d+)/g)].map(([, name = '', count]) => [name, Number(count)]));

/** The used units of a key from GET /usage. */
export const usageOf = async (client: Client, headers = {}): Promise<{ day: number; month: number }> => {
  const { status, body } = await client.get('/usage', headers);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { day: body.day.used, month: body.month.used };
};

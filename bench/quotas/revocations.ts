/** How long a revoked key is still accepted by another process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { Administration } from '../../commands/administration.ts';
import { keyWith, smallest } from './exactness.ts';

const pauseMs = 2;

async function statusOf(url: string, key: string): Promise<number> {
  const { path, ...rest } = smallest(key);
  const { statusCode, body } = await request(url + path, rest);
  await body.dump();
  return statusCode;
}

/** Milliseconds from the response to each revocation until the router at `url`, which has the key cached, rejects it. */
export async function measureRevocations(
  url: string,
  administration: Administration,
  { name, times }: { readonly name: string; readonly times: number },
): Promise<number[]> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const { id, key } = await keyWith(administration, `${name}-${index}`, { perDay: 1_000_000, perMonth: 1_000_000 });
    const status = await statusOf(url, key);
    if (status !== 200) throw new Error(`A new key is returned ${status}.`);
    await administration.execute('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id });
    const from = performance.now();
    while ((await statusOf(url, key)) !== 401) await sleep(pauseMs);
    taken.push(performance.now() - from);
  }
  return taken;
}

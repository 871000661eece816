/** Sends requests one after the other, and reads what each was charged. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface CostRequest {
  readonly path: string;
  /** A GraphQL request; absent for GET. */
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Units charged, from the difference of the remaining ones. */
  readonly units: number;
}

const triesMax = 70;

export type Send = (request: CostRequest) => Promise<Answer>;

/** @param key null: without a key */
export function createSend(url: string, key: string | null): Send {
  let remaining: number | null = null;
  const once = async ({ path, body }: CostRequest): Promise<Response> =>
    fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...(key === null ? {} : { 'x-api-key': key }), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  return async (request) => {
    let response = await once(request);
    // 429: new GraphQL operations per minute; 503: the platform sheds load, also that of other programs on the machine
    for (let tries = 0; [429, 503].includes(response.status) && tries < triesMax; tries += 1, response = await once(request)) {
      await response.arrayBuffer();
      await sleep(1000 * Number(response.headers.get('retry-after') ?? 1));
      remaining = null;
    }
    const text = await response.text();
    const left = Number(response.headers.get('x-ratelimit-remaining'));
    const units = remaining === null ? 1 : remaining - left;
    remaining = left;
    return { status: response.status, text, units };
  };
}

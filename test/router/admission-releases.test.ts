/** Units that a request was charged and did not use are released exactly. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeStores } from './admission-stores.ts';
import {
  admitted,
  caller,
  countResults,
  createAdmissionPlatform,
  untilTrue,
  type AdmissionPlatform,
  type Router,
} from './admission-platform.ts';

describeStores('releases in', (kind) => {
  let platform: AdmissionPlatform;
  let router: Router;
  beforeAll(async () => {
    platform = await createAdmissionPlatform(kind);
    router = await platform.router();
  });
  afterAll(() => platform.close());

  const admit = (key: string | readonly string[], address?: string) => router.admission.admit(caller(key, address));

  test('unused units are released exactly and without a limit, before later requests are admitted', async () => {
    const { key, subject } = await platform.issue({ plan: await platform.plan({ perDay: 100, perMonth: 1000 }) });
    for (let round = 0; round < 20; round += 1) {
      const page = admitted(await admit(key));
      expect(await page.charge(99 - round)).toBeNull();
      page.keep(1);
      expect(page.headers['x-ratelimit-remaining']).toBe(String(99 - round));
      page.settle({ status: 200 });
    }
    await untilTrue(async () => (await platform.counter(subject)).dayUsed === 20);
    expect(await platform.counter(subject)).toEqual({ dayUsed: 20, monthUsed: 20, dayRefunded: 0 });
    const concurrent = await Promise.all(Array.from({ length: 80 }, () => admit(key)));
    expect(countResults(concurrent)).toMatchObject({ admitted: 80 });
    for (const result of concurrent) admitted(result).settle({ status: 304 });
    const again = await Promise.all(Array.from({ length: 160 }, () => admit(key)));
    expect(countResults(again)).toMatchObject({ admitted: 80 });
    expect(await platform.counter(subject)).toEqual({ dayUsed: 100, monthUsed: 100, dayRefunded: 0 });
  });

  test('a 304 is free with a valid key only', async () => {
    const { key, subject } = await platform.issue({ plan: await platform.plan({ perDay: 100 }) });
    const keyed = admitted(await admit(key));
    expect([keyed.headers, keyed.notModifiedHeaders].map((headers) => headers['x-ratelimit-remaining'])).toEqual(['99', '100']);
    keyed.settle({ status: 304 });
    await untilTrue(async () => (await platform.counter(subject)).dayUsed === 0);
    const anonymous = admitted(await admit([], '192.0.2.44'));
    expect(anonymous.notModifiedHeaders).toEqual(anonymous.headers);
  });
});

/** Open streams end when their key is rejected, and not when it cannot be checked. */
import { expect, test } from '@jest/globals';
import { createStreamLimits, type StreamEnd } from '../../router/streams/stream-limits.ts';
import { Problem, type ErrorCode } from '../../schema/errors.ts';
import { accountViewer } from '../../schema/viewer.ts';
import { eventually } from '../eventually.ts';
import { caller } from './admission-platform.ts';

const plan = { code: 'test', burstPerMinute: 1, perDay: 1, perMonth: 1, writes: true, streams: 1 };
const viewer = { ...accountViewer('account', []), kind: 'KEY' } as const;

/** Opens a stream whose key is checked several times with this error. Returns why it ended. */
async function endsAfter(code: ErrorCode): Promise<StreamEnd | null> {
  let ended: StreamEnd | null = null;
  let checks = 0;
  const streams = createStreamLimits({
    checkEveryMs: 10,
    viewerOf() {
      checks += 1;
      return Promise.reject(new Problem(code, 'Rejected.'));
    },
  });
  const release = streams.acquire(
    { viewer, subject: 's', plan },
    {
      caller: caller('key'),
      end: (reason) => (ended ??= reason),
    },
  );
  await eventually(() => Promise.resolve().then(() => expect(ended !== null || checks > 3).toBe(true)));
  release();
  streams.close();
  return ended;
}

test.each(['api_key_revoked', 'api_key_expired', 'account_unavailable', 'ip_not_allowed'] as const)('%s ends it', async (code) =>
  expect(await endsAfter(code)).toBe('KEY_CHANGED'),
);
test.each(['upstream_unavailable', 'upstream_timeout', 'rate_limited', 'internal'] as const)('%s does not end it', async (code) =>
  expect(await endsAfter(code)).toBeNull(),
);

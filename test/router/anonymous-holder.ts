/** The holder of requests that a stub of admission admits. */
import type { RequestHolder } from '../../router/admission/settlement.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';

export const anonymousHolder: RequestHolder = {
  viewer: ANONYMOUS,
  subject: 'someone',
  plan: { code: 'free', burstPerMinute: 60, perDay: 1_000, perMonth: 10_000, writes: false, streams: 1 },
};

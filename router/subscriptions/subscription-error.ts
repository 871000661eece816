/** The error of a subscription that did not start, for the request log. */
import { Problem } from '../../schema/errors.ts';
import { reportedError, type ReportedError } from '../../schema/reported-error.ts';
import { InvalidSubscription } from './requested-subscription.ts';

export function subscriptionError(error: unknown): ReportedError {
  if (error instanceof Problem) return reportedError(error);
  const code = error instanceof InvalidSubscription ? error.errors[0]?.extensions?.['code'] : null;
  return { code: typeof code === 'string' ? code : 'internal', pointers: [] };
}

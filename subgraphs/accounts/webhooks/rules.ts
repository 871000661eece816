/** Rules of webhook endpoints: states, addresses, types of events, and the number that a plan includes. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { events } from '../../../schema/events.ts';
import { suggestionFor, truncated } from '../../../schema/violations.ts';
import { outgoingUrlIssue } from '../../../platform/http/outgoing-client.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { WebhookEndpointStatus } from '../generated/resolvers.ts';

export const webhookTransitions = {
  enable: { from: ['DISABLED'], to: 'ENABLED', actors: ['OWNER'] },
  disable: { from: ['ENABLED'], to: 'DISABLED', actors: ['OWNER'] },
} as const satisfies Transitions<WebhookEndpointStatus, string>;

/** The violations of unknown types of events, with suggestions. */
export function typeViolations(types: readonly string[] | null | undefined): Violation[] {
  return (types ?? []).flatMap((type, index) =>
    Object.hasOwn(events, type)
      ? []
      : [
          {
            pointer: `/types/${index}`,
            code: 'unknown_value',
            detail: `There is no event type \`${truncated(type)}\`${suggestionFor(type, Object.keys(events)) || '.'}`,
          },
        ],
  );
}

/** The violation of a URL that may not be called. */
export function urlViolation(url: string, allowLocal: boolean): Violation | null {
  const issue = outgoingUrlIssue(url, { allowLocal });
  return issue === null ? null : { pointer: '/url', code: 'invalid_url', detail: issue };
}

/** Enabled webhook endpoints of an account, and the number that its plan includes. */
export interface EndpointUse {
  readonly enabled: number;
  readonly included: number;
}

/** Throws Problem conflict (409) for an account that cannot enable another webhook endpoint. */
export function requireIncluded({ enabled, included }: EndpointUse): void {
  if (enabled < included) return;
  throw new Problem(
    'conflict',
    included === 0
      ? 'No valid key of your account has a plan that includes webhook endpoints. Create a key, or change to a plan that includes them.'
      : `Your plan includes ${included} webhook endpoints, and ${enabled} are enabled. Disable or delete one, or change to a plan with more.`,
  );
}

/** Throws Problem conflict (409) for a disabled webhook endpoint, which sends nothing. */
export function requireEnabled({ status }: { readonly status: WebhookEndpointStatus }): void {
  if (status !== 'ENABLED') throw new Problem('conflict', 'The webhook endpoint is disabled. Enable it first.');
}

const retentionMs = 30 * 86_400_000;

/** The violations of a period to replay. */
export function periodViolations(since: string, until: string | null | undefined): Violation[] {
  const start = Date.parse(since);
  if (start < Date.now() - retentionMs)
    return [{ pointer: '/since', code: 'out_of_range', detail: 'Events are retained for 30 days. Choose a later start.' }];
  if (until && Date.parse(until) <= start)
    return [{ pointer: '/until', code: 'out_of_range', detail: '`until` must be after `since`.' }];
  return [];
}

/** Most events of one replay. */
const replayMax = 10_000;

/** Most events that match the filters of one replay, with those that the account cannot read. */
export const examinedMax = 50_000;

/** The events of a replay. */
export interface ReplayCount {
  /** Those that match the filters; at most one more than `examinedMax`. */
  readonly examined: number;
  /** Those of them that the account knows of. */
  readonly known: number;
}

/** Throws Problem conflict (409) for a period with too many events. */
export function requireReplayable({ examined, known }: ReplayCount): void {
  const tooMany = (detail: string): Problem => new Problem('conflict', `${detail} Choose a shorter period or fewer types.`);
  if (known > replayMax) throw tooMany(`More than ${replayMax.toLocaleString('en-US')} events match.`);
  if (examined > examinedMax)
    throw tooMany(`The platform has more than ${examinedMax.toLocaleString('en-US')} events of this period and these types.`);
}

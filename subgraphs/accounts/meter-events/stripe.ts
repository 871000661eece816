/**
 * Sends one meter event to Stripe Billing (https://docs.stripe.com/api/billing/meter-event/create). Stripe validates customers and meters later
 * and reports errors of that to the operator as the event `v1.billing.meter.error_report_triggered`.
 */
import { OutgoingError, type OutgoingClient, type OutgoingResponse } from '../../../platform/http/outgoing-client.ts';
import type { StripeSettings } from '../../../schema/billing.ts';
import type { MeterEvent } from './events.ts';

/** The version of the API whose responses this module reads. */
const stripeVersion = '2025-07-30.basil';
const reasonCharacters = 300;

/** How an attempt ended. */
export type MeterOutcome =
  /** Stripe has the event, from this attempt or from an earlier one. */
  | { readonly kind: 'SENT' }
  /** Stripe does not accept the event. Another attempt needs a change of the operator. */
  | { readonly kind: 'REJECTED'; readonly reason: string }
  /** Stripe does not accept the secret key, so no event is accepted. */
  | { readonly kind: 'UNAUTHORIZED'; readonly reason: string }
  | {
      readonly kind: 'FAILED';
      readonly reason: string;
      readonly retryAfter: string | null;
      /** Whether Stripe responded. */
      readonly hasResponse: boolean;
      /** Whether Stripe may have the event. */
      readonly mayBeSent: boolean;
    };

/** The identifier of an event: the same in every attempt. Stripe accepts an identifier once within 24 hours or more. */
export const identifierOf = ({ accountId, day, sequence }: MeterEvent): string => `usage-${accountId}-${day}-${sequence}`;

function formOf(event: MeterEvent, eventName: string): string {
  return new URLSearchParams({
    event_name: eventName,
    identifier: identifierOf(event),
    // the start of the day: it belongs to the day in every attempt, and is never in the future
    timestamp: String(Date.parse(`${event.day}T00:00:00Z`) / 1_000),
    'payload[stripe_customer_id]': event.customerId,
    'payload[value]': String(event.units),
  }).toString();
}

const failed = (reason: string, response: OutgoingResponse, mayBeSent: boolean): MeterOutcome => ({
  kind: 'FAILED',
  reason,
  retryAfter: response.retryAfter,
  hasResponse: true,
  mayBeSent,
});

/** The message of an error response, which is in the first bytes of the body; without one, the status. */
function reasonOf({ status, bodyStart }: OutgoingResponse): string {
  const message = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(bodyStart)?.[1];
  return `Status ${status}${message === undefined ? '' : `: ${message.slice(0, reasonCharacters)}`}`;
}

/** Stripe rejects an identifier that it has. Its v1 errors have the code in some versions only, so the message is compared too. */
const isDuplicate = ({ status, bodyStart }: OutgoingResponse): boolean =>
  status === 400 && /event already exists with identifier|"duplicate_meter_event"/i.test(bodyStart);

/** A proxy can respond with 200 as well: only the object confirms the event. */
const isConfirmed = ({ status, bodyStart }: OutgoingResponse): boolean =>
  status >= 200 && status <= 299 && /"object":\s*"billing\.meter_event"/.test(bodyStart);

function outcomeOf(response: OutgoingResponse): MeterOutcome {
  const { status } = response;
  if (isConfirmed(response) || isDuplicate(response)) return { kind: 'SENT' };
  const reason = reasonOf(response);
  if (status === 401 || status === 403) return { kind: 'UNAUTHORIZED', reason };
  // 409: a request with the same idempotency key is in progress
  if (status === 409 || status === 429) return failed(reason, response, false);
  if (status === 408 || status >= 500 || status < 300) return failed(reason, response, true);
  return { kind: 'REJECTED', reason };
}

/** Sends an event once. Throws the reason of the signal when it is aborted; Stripe may have the event then. */
export async function sendMeterEvent(
  outgoing: OutgoingClient,
  { url, secretKey, eventName }: StripeSettings,
  event: MeterEvent,
  signal: AbortSignal,
): Promise<MeterOutcome> {
  const headers = {
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
    'idempotency-key': `${identifierOf(event)}-${event.keyNumber}`,
    'stripe-version': stripeVersion,
    'user-agent': 'talent-platform-metering/1',
  };
  try {
    const endpoint = `${url.replace(/\/$/, '')}/v1/billing/meter_events`;
    return outcomeOf(await outgoing.post(endpoint, { headers, body: formOf(event, eventName), signal }));
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    const mayBeSent = error.kind === 'TIMEOUT' || error.kind === 'RESPONSE';
    return { kind: 'FAILED', reason: error.message, retryAfter: null, hasResponse: false, mayBeSent };
  }
}

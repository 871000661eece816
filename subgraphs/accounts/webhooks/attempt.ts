/** One attempt: signs a message as Standard Webhooks describes, and sends it. */
import { Webhook } from 'standardwebhooks';
import { OutgoingError, type OutgoingClient } from '../../../platform/http/outgoing-client.ts';
import { countDelivery } from '../../../platform/telemetry/metrics.ts';
import { currentTraceparent } from '../../../platform/telemetry/request-scope.ts';
import { withSpan } from '../../../platform/telemetry/tracing.ts';
import type { WebhookError } from '../generated/resolvers.ts';
import type { Message } from './message.ts';
import { retryDelayMs } from './retry-schedule.ts';

const timeoutMs = 15_000;

/** A message for an endpoint. */
export interface SignedMessage {
  readonly message: Message;
  readonly eventId: string;
  readonly url: string;
  readonly secrets: readonly string[];
}

/** How an attempt ended. */
export interface AttemptOutcome {
  readonly at: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: WebhookError | null;
  readonly detail: string | null;
  readonly response: string | null;
  readonly retryAfter: string | null;
}

/** The headers of a message at a time: one signature per secret. */
function headersOf({ message, eventId, secrets }: SignedMessage, at: Date): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'talent-platform-webhooks/1',
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(eventId, at, message.body)).join(' '),
  };
}

/** The trace of a delivery goes on in its receiver. */
function traceHeaders(): Record<string, string> {
  const traceparent = currentTraceparent();
  return traceparent === undefined ? {} : { traceparent };
}

/** Sends a message once. Throws the reason of the signal when it is aborted. */
export async function attempt(outgoing: OutgoingClient, signed: SignedMessage, signal: AbortSignal): Promise<AttemptOutcome> {
  const at = new Date();
  const startedMs = performance.now();
  const { url, message } = signed;
  try {
    const call = { headers: headersOf(signed, at), body: message.body, timeoutMs, signal };
    const { status, durationMs, retryAfter, bodyStart } = await withSpan(
      { name: 'POST', kind: 'CLIENT', attributes: { 'http.request.method': 'POST' } },
      () => outgoing.post(url, { ...call, headers: { ...call.headers, ...traceHeaders() } }),
    );
    const failed = status < 200 || status > 299;
    countDelivery({ outcome: failed ? 'failed' : 'delivered' });
    const detail = failed ? `The endpoint responded with the status ${status}.` : null;
    const error = failed ? 'STATUS' : null;
    return { at: at.toISOString(), status, durationMs, error, detail, response: bodyStart, retryAfter };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    countDelivery({ outcome: 'failed' });
    const durationMs = Math.round(performance.now() - startedMs);
    const { kind, message: detail } = error;
    return { at: at.toISOString(), status: null, durationMs, error: kind, detail, response: null, retryAfter: null };
  }
}

const unsentDetails = {
  EVENT_UNREADABLE: 'The platform could not read the event. No request was sent.',
  SECRET_UNREADABLE: 'The platform could not decrypt the secret. No request was sent. Rotate the secret.',
} as const satisfies Partial<Record<WebhookError, string>>;

/** An attempt that ended before its request, because the platform could not read what it needs. */
export function unsentAttempt(error: keyof typeof unsentDetails): AttemptOutcome {
  countDelivery({ outcome: 'failed' });
  const detail = unsentDetails[error];
  const at = new Date().toISOString();
  return { at, status: null, durationMs: 0, error, detail, response: null, retryAfter: null };
}

/** The pause before the next attempt; null without one: after a success, the last attempt, a test, and an endpoint that is gone. */
export function nextAttemptMs({ error, status, retryAfter }: AttemptOutcome, attempts: number, type: string): number | null {
  if (error === null || status === 410 || type === 'webhook.test') return null;
  return retryDelayMs(attempts, retryAfter);
}

/**
 * A local server with the behavior that Stripe documents for meter events: authentication, validation of the form, idempotency keys with stored
 * responses (https://docs.stripe.com/api/idempotent_requests), and identifiers that are accepted once.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StripeSettings } from '../schema/billing.ts';

/**
 * What happens to a request instead of its response:
 * - `RATE_LIMIT`: 429 with `Retry-After: 1`; not executed
 * - `LOCKED`: 409; not executed
 * - `ERROR_BEFORE`, `ERROR_AFTER`: 500 before or after the event is counted; stored for the idempotency key
 * - `DROPPED_BEFORE`, `DROPPED_AFTER`: the connection ends before or after the event is counted
 * - `HANGING`: the event is counted, and no response is sent
 */
export const faults = [
  'RATE_LIMIT',
  'LOCKED',
  'ERROR_BEFORE',
  'ERROR_AFTER',
  'DROPPED_BEFORE',
  'DROPPED_AFTER',
  'HANGING',
] as const;
export type Fault = (typeof faults)[number];

export interface CountedEvent {
  readonly identifier: string;
  readonly customer: string;
  readonly value: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

export interface StripeRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly form: URLSearchParams;
  readonly status: number | null;
}

interface StripeResponse {
  readonly status: number;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

const day = 86_400;

const errorResponse = (status: number, message: string, type = 'invalid_request_error'): StripeResponse => ({
  status,
  body: { error: { message, type } },
});

/** The message for a form that Stripe rejects; null for a valid one. */
function formIssue(form: URLSearchParams, eventName: string): string | null {
  const known = new Set(['event_name', 'identifier', 'timestamp', 'payload[stripe_customer_id]', 'payload[value]']);
  for (const name of form.keys()) if (!known.has(name)) return `Received unknown parameter: ${name}`;
  if (form.get('event_name') !== eventName) return `No active meter found for event name ${form.get('event_name')}.`;
  const identifier = form.get('identifier') ?? '';
  if (identifier.length < 1 || identifier.length > 100) return 'Invalid identifier: must be at most 100 characters';
  const timestamp = form.get('timestamp') ?? '';
  const ageSeconds = Date.now() / 1_000 - Number(timestamp);
  if (!/^\d{1,12}$/.test(timestamp)) return `Invalid integer: ${timestamp}`;
  if (ageSeconds > 35 * day) return 'The timestamp is too far in the past; it must be within the past 35 days.';
  if (ageSeconds < -300) return 'The timestamp is in the future.';
  if (!/^\d{1,15}$/.test(form.get('payload[value]') ?? '')) return 'The value must be a whole number.';
  if (!/^cus_\w+$/.test(form.get('payload[stripe_customer_id]') ?? '')) return 'No customer is defined.';
  return null;
}

export async function openStripe() {
  const settings = { secretKey: 'sk_test_51Hlocal', eventName: 'api_units' };
  const events = new Map<string, CountedEvent>();
  const stored = new Map<string, { readonly form: string; readonly response: StripeResponse }>();
  const requests: StripeRequest[] = [];
  const rejectedCustomers = new Set<string>();
  let nextFault: (form: URLSearchParams) => Fault | null = () => null;
  let onHanging: () => void = () => undefined;

  /** Counts an event, unless it is invalid or its identifier is known. */
  function execute(form: URLSearchParams): StripeResponse {
    const issue = formIssue(form, settings.eventName);
    if (issue !== null) return errorResponse(400, issue);
    const identifier = form.get('identifier') ?? '';
    const customer = form.get('payload[stripe_customer_id]') ?? '';
    if (events.has(identifier)) return errorResponse(400, `An event already exists with identifier ${identifier}.`);
    if (rejectedCustomers.has(customer)) return errorResponse(400, `No such customer: '${customer}'`);
    const [value, timestamp] = [Number(form.get('payload[value]')), Number(form.get('timestamp'))];
    events.set(identifier, { identifier, customer, value, timestamp });
    const payload = { stripe_customer_id: customer, value: String(value) };
    return {
      status: 200,
      body: { object: 'billing.meter_event', event_name: settings.eventName, identifier, payload, timestamp, livemode: false },
    };
  }

  function rejectionOf(headers: IncomingHttpHeaders): StripeResponse | null {
    if (headers.authorization !== `Bearer ${settings.secretKey}`) return errorResponse(401, 'Invalid API Key provided: sk_****');
    if (headers['content-type'] !== 'application/x-www-form-urlencoded') return errorResponse(400, 'Invalid content type.');
    if (!/^\d{4}-\d{2}-\d{2}\.[a-z]+$/.test(String(headers['stripe-version']))) return errorResponse(400, 'Invalid version.');
    return null;
  }

  /** The response, or what happens instead. */
  function responseTo(headers: IncomingHttpHeaders, form: URLSearchParams): StripeResponse | 'DROPPED' | 'HANGING' {
    const rejection = rejectionOf(headers);
    if (rejection !== null) return rejection;
    const fault = nextFault(form);
    if (fault === 'RATE_LIMIT')
      return { ...errorResponse(429, 'Too many requests.', 'api_error'), headers: { 'retry-after': '1' } };
    if (fault === 'LOCKED') return errorResponse(409, 'There is currently another in-progress request.', 'idempotency_error');
    if (fault === 'DROPPED_BEFORE') return 'DROPPED';
    const key = String(headers['idempotency-key']);
    const known = stored.get(key);
    if (known !== undefined && known.form !== form.toString())
      return errorResponse(400, 'Keys for idempotent requests can only be used with the same parameters.', 'idempotency_error');
    let response = known?.response ?? null;
    if (response === null) {
      const failure = errorResponse(500, 'An unknown error occurred.', 'api_error');
      response = fault === 'ERROR_BEFORE' ? failure : execute(form);
      if (fault === 'ERROR_AFTER') response = failure;
      stored.set(key, { form: form.toString(), response });
    }
    if (fault === 'HANGING') return fault;
    return fault === 'DROPPED_AFTER' ? 'DROPPED' : response;
  }

  function respond(response: ServerResponse, answer: StripeResponse): void {
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body, null, 2));
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
      const path = `${request.method} ${request.url}`;
      const answer =
        path === 'POST /v1/billing/meter_events' ? responseTo(request.headers, form) : errorResponse(404, 'Unrecognized URL');
      const status = typeof answer === 'object' ? answer.status : null;
      requests.push({ path, headers: request.headers, form, status });
      if (answer === 'HANGING') onHanging();
      else if (answer === 'DROPPED') request.socket.destroy();
      else respond(response, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // cast: a server that listens on a port has an address
  const { port } = server.address() as AddressInfo;

  return {
    settings: { ...settings, url: `http://127.0.0.1:${port}` } satisfies StripeSettings,
    requests,
    /** The counted events. */
    events: (): CountedEvent[] => [...events.values()],
    /** The units of a customer, per day, YYYY-MM-DD. */
    unitsOf(customer: string): Record<string, number> {
      const units: Record<string, number> = {};
      for (const event of events.values()) {
        const of = new Date(event.timestamp * 1_000).toISOString().slice(0, 10);
        if (event.customer === customer) units[of] = (units[of] ?? 0) + event.value;
      }
      return units;
    },
    /** Customers whose events get the status 400. */
    rejectedCustomers,
    /** Decides the fault of each request; default: none. */
    fail(next: (form: URLSearchParams) => Fault | null = () => null): void {
      nextFault = next;
    },
    /** Called for each request that hangs. */
    onHanging(next: () => void): void {
      onHanging = next;
    },
    /** Changes the accepted key. */
    rotate(secretKey: string): void {
      settings.secretKey = secretKey;
    },
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Stripe = Awaited<ReturnType<typeof openStripe>>;

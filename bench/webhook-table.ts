/** The figures of the benchmark of webhooks, and their table. */

/** How much is delivered. */
export interface WebhookSize {
  readonly events: number;
  /** How often a worker is killed, one after the other. */
  readonly kills: number;
  /** Pause between two kills. */
  readonly killEveryMs: number;
}

/** Deliveries without failures and kills. */
export interface CalmDeliveries {
  readonly events: number;
  readonly perSecond: number;
  /** CPU time per delivery in milliseconds, from the event of the area to the stored attempt. */
  readonly nodeMs: number;
  readonly sqlMs: number;
}

export interface WebhookFigures extends WebhookSize {
  readonly calm: CalmDeliveries;
  /** Of the events: those that no endpoint accepted. */
  readonly lost: number;
  readonly disordered: number;
  readonly unverified: number;
  readonly requests: number;
  /** Requests that receivers failed on purpose. */
  readonly failed: number;
  /** Requests for events that had been accepted before: repeated after a crash. */
  readonly repeated: number;
  /** Attempts, and deliveries by status, as the platform stored them. */
  readonly storedAttempts: number;
  readonly succeeded: number;
  readonly seconds: number;
  readonly perSecond: number;
}

/** The accounts of both sides in Markdown. */
export function printWebhooks(figures: WebhookFigures): string {
  const isMet =
    figures.lost === 0 && figures.disordered === 0 && figures.unverified === 0 && figures.succeeded === figures.events;
  const rows: readonly (readonly [string, number | string])[] = [
    ['events', figures.events],
    ['workers killed', figures.kills],
    ['requests that arrived', figures.requests],
    ['of these, failed on purpose', figures.failed],
    ['of these, repeated after success', figures.repeated],
    ['requests with a wrong signature', figures.unverified],
    ['first attempts out of order', figures.disordered],
    ['events that no endpoint accepted', figures.lost],
    ['attempts stored by the platform', figures.storedAttempts],
    ['deliveries stored as succeeded', figures.succeeded],
    ['seconds', figures.seconds.toFixed(1)],
    ['requests per second', figures.perSecond.toFixed(0)],
    [`without failures (${figures.calm.events} events): deliveries per second`, figures.calm.perSecond.toFixed(0)],
    ['CPU ms of Node per delivery', figures.calm.nodeMs.toFixed(2)],
    ['CPU ms of PostgreSQL per delivery', figures.calm.sqlMs.toFixed(2)],
  ];
  const lines = rows.map(([name, value]) => `| ${name} | ${value} |`);
  return ['| measure | value |', '|---|--:|', ...lines, '', isMet ? 'Every event arrived, in order.' : 'MISSED'].join('\n');
}

/** Reports usage to Stripe: plans the events of accounts and sends those that are due, one at a time. */
import type { Logger } from 'pino';
import type { Database } from '../../../platform/database/database.ts';
import type { OutgoingClient } from '../../../platform/http/outgoing-client.ts';
import type { StripeSettings } from '../../../schema/billing.ts';
import { beginAttempt, countHeld, planMeterEvents, recordSent, recordUnsent, type MeterEvent } from './events.ts';
import { retryPauseMs } from './retry-pause.ts';
import { sendMeterEvent, type MeterOutcome } from './stripe.ts';

export interface MeterReporterOptions {
  readonly database: Database;
  readonly outgoing: OutgoingClient;
  readonly settings: StripeSettings;
  readonly log: Logger;
  /** Whether this process is the active one. */
  readonly isActive: () => boolean;
  /** Ends the attempt in progress; another process repeats it. */
  readonly signal: AbortSignal;
}

type Unsent = Exclude<MeterOutcome, { kind: 'SENT' }>;

/** Pause of an event that Stripe rejected. */
const rejectedMs = 6 * 3_600_000;
/** Pause of all events while the secret key is not accepted. */
const unauthorizedMs = 15 * 60_000;

/** A reporter. After an error that concerns all events, it sends none until its pause has passed. */
export function createMeterReporter({ database, outgoing, settings, log, isActive, signal }: MeterReporterOptions) {
  let pausedUntilMs = -Infinity;
  let failuresInARow = 0;

  const pause = (pauseMs: number): void => {
    pausedUntilMs = performance.now() + pauseMs;
  };

  /** Errors that concern all events stop the others too. */
  async function recordFailure(event: MeterEvent, outcome: Unsent): Promise<void> {
    const { accountId, day } = event;
    const { reason } = outcome;
    if (outcome.kind === 'REJECTED') {
      const attempt = { pauseMs: rejectedMs, rejection: reason, hasResponse: true, mayBeSent: false };
      return recordUnsent(database, event, attempt);
    }
    if (outcome.kind === 'UNAUTHORIZED') {
      pause(unauthorizedMs);
      log.error({ reason }, 'Stripe rejected the secret key; set a key that may write meter events as STRIPE_SECRET_KEY');
      return recordUnsent(database, event, { pauseMs: 0, rejection: null, hasResponse: true, mayBeSent: false });
    }
    const { retryAfter, hasResponse, mayBeSent } = outcome;
    failuresInARow += 1;
    const retryMs = retryPauseMs(failuresInARow, retryAfter);
    pause(retryMs);
    log.warn({ accountId, day, reason, retryMs }, 'meter event not sent');
    const pauseMs = retryPauseMs(event.failures + 1, retryAfter);
    return recordUnsent(database, event, { pauseMs, rejection: null, hasResponse, mayBeSent });
  }

  /** Sends the next event that is due. Returns its rejection, null without one, or undefined if no event is due. */
  async function sendNext(): Promise<{ readonly event: MeterEvent; readonly rejection: string | null } | undefined> {
    const event = await beginAttempt(database);
    if (event === null) return undefined;
    const outcome = await sendMeterEvent(outgoing, settings, event, signal);
    if (outcome.kind !== 'FAILED') failuresInARow = 0;
    if (outcome.kind === 'SENT') await recordSent(database, event);
    else await recordFailure(event, outcome);
    return { event, rejection: outcome.kind === 'REJECTED' ? outcome.reason : null };
  }

  /** Sends the events that are due. Throws the reason of the signal. */
  async function sendDue(): Promise<void> {
    let rejected = 0;
    let last: { readonly accountId: string; readonly day: string; readonly reason: string } | null = null;
    while (isActive() && !signal.aborted && performance.now() >= pausedUntilMs) {
      const sent = await sendNext();
      if (sent === undefined) break;
      if (sent.rejection === null) continue;
      rejected += 1;
      last = { accountId: sent.event.accountId, day: sent.event.day, reason: sent.rejection };
    }
    if (last !== null)
      log.error({ rejected, ...last }, 'Stripe rejected meter events; check the Stripe customer of the account and the meter');
  }

  /** Plans and sends the usage that Stripe does not have. */
  async function report(): Promise<void> {
    await sendDue();
    let last: string | null = null;
    do {
      last = await planMeterEvents(database, last);
      await sendDue();
    } while (last !== null && isActive() && !signal.aborted);
    const held = await countHeld(database);
    if (held.unknown + held.expired > 0) log.error({ ...held }, 'meter events need a decision; see docs/billing.md');
  }

  return { sendDue, report };
}

export type MeterReporter = ReturnType<typeof createMeterReporter>;

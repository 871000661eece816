/** Sends due deliveries: takes them from the lanes, renders their events for their accounts, and makes one attempt each. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { OutgoingClient } from '../../../platform/http/outgoing-client.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import { withRequest } from '../../../platform/telemetry/tracing.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { attempt, nextAttemptMs, unsentAttempt, type AttemptOutcome } from './attempt.ts';
import type { Disabling } from './disabling.ts';
import { readSendable, type DueDelivery, type SendableDelivery } from './due-deliveries.ts';
import { decryptSecret } from './endpoint-secrets.ts';
import { createLanes } from './lanes.ts';
import { renderMessages, testMessage, viewerKey, type Message } from './message.ts';
import { createRecorder } from './recorder.ts';

export interface SenderOptions {
  readonly services: Pick<AreaServices, 'database' | 'graphFor' | 'mode'>;
  readonly secrets: Secrets;
  readonly outgoing: OutgoingClient;
  readonly disabling: Disabling;
  readonly log: Logger;
  /** Whether this process is the active sender. */
  readonly isActive: () => boolean;
  /** Called when lanes have room for more deliveries. */
  readonly onRoom: () => void;
}

/** The next deliveries start without those whose events take longer to read. */
const patienceMs = 100;
/** Time for attempts in progress at the end; the others are made again. */
const graceMs = 5_000;

/** A delivery with what is needed to send it. */
interface Prepared {
  readonly due: DueDelivery;
  readonly current: SendableDelivery;
}

export function createSender({ services, secrets, outgoing, disabling, log, isActive, onRoom }: SenderOptions) {
  const { database, graphFor } = services;
  const lanes = createLanes<DueDelivery>();
  const abandoned = new AbortController();
  let isPumping = false;
  let closed = false;

  const disable = (ids: readonly string[], reason: 'FAILING' | 'GONE'): void => {
    for (const id of ids)
      disabling.disable(id, reason).catch((error: unknown) => log.error({ err: error, id }, 'webhook endpoint not disabled'));
  };
  const recorder = createRecorder(database, log, ({ ids, failing }) => {
    lanes.recorded(ids);
    disable(failing, 'FAILING');
    onRoom();
  });

  /** @param message null if no request was sent */
  function record({ due, current }: Prepared, message: Message | null, outcome: AttemptOutcome): void {
    const nextMs = nextAttemptMs(outcome, current.attempts + 1, current.type);
    lanes.end(due, message === null ? null : outcome.error === 'TIMEOUT');
    recorder.add({
      id: due.id,
      endpointId: due.endpointId,
      outcome,
      message,
      scopes: current.scopes,
      readAt: current.readAt,
      nextMs,
    });
    if (outcome.status === 410) disable([due.endpointId], 'GONE');
    void pump();
  }

  /** The texts of the secrets. One that cannot be decrypted is left out: the other one may be valid. */
  function readableSecrets({ endpointId, secrets: encrypted }: SendableDelivery): string[] {
    return encrypted.flatMap((each) => {
      try {
        return [decryptSecret(secrets, endpointId, each)];
      } catch (error) {
        log.error({ err: error, endpointId }, 'webhook secret could not be decrypted');
        return [];
      }
    });
  }

  async function send(prepared: Prepared, message: Message): Promise<void> {
    const { due, current } = prepared;
    if (!isActive()) return lanes.forget(due);
    try {
      const { eventId, url } = current;
      const keys = readableSecrets(current);
      if (keys.length === 0) return record(prepared, null, unsentAttempt('SECRET_UNREADABLE'));
      const outcome = await attempt(outgoing, { message, eventId, url, secrets: keys }, abandoned.signal);
      record(prepared, message, outcome);
    } catch (error) {
      if (!abandoned.signal.aborted) log.error({ err: error, endpointId: due.endpointId }, 'webhook attempt failed');
      lanes.giveBack(due);
    }
  }

  function fail(prepared: Prepared, error: unknown): void {
    const { due, current } = prepared;
    if (!isActive()) return lanes.forget(due);
    log.error({ err: error, eventId: current.eventId, endpointId: due.endpointId }, 'event of a webhook could not be read');
    record(prepared, null, unsentAttempt('EVENT_UNREADABLE'));
  }

  /** Renders the events of deliveries of one viewer and sends them; those that the viewer cannot read are dropped. */
  async function sendAs(prepared: readonly Prepared[]): Promise<void> {
    await withRequest({ name: 'send webhooks', kind: 'CONSUMER' }, { requestId: `webhooks-${randomUUID()}` }, () =>
      renderAndSend(prepared),
    );
  }

  async function renderAndSend(prepared: readonly Prepared[]): Promise<void> {
    try {
      const events = prepared.map(({ current }) => current).filter(({ type }) => type !== 'webhook.test');
      const { messages, errors } = await renderMessages(graphFor, events);
      for (const each of prepared) {
        const { current, due } = each;
        const message = current.type === 'webhook.test' ? testMessage(services.mode, current) : messages.get(current.eventId);
        if (message) void send(each, message);
        else if (errors.has(current.eventId)) fail(each, errors.get(current.eventId));
        else {
          lanes.end(due, null);
          recorder.drop(due.id);
        }
      }
    } catch (error) {
      log.warn({ err: error }, 'events of webhooks could not be read');
      for (const { due } of prepared) lanes.giveBack(due);
    }
  }

  /** Reads the current state of deliveries and sends them, each viewer separately. */
  async function sendAll(taken: readonly DueDelivery[]): Promise<void> {
    let rows: SendableDelivery[];
    try {
      rows = await readSendable(
        database,
        taken.map(({ id }) => id),
      );
    } catch (error) {
      log.warn({ err: error }, 'webhook deliveries could not be read');
      for (const due of taken) lanes.giveBack(due);
      return;
    }
    const byId = new Map(rows.map((row) => [row.id, row]));
    const prepared = taken.flatMap((due): Prepared[] => {
      const current = byId.get(due.id);
      if (current) return [{ due, current }];
      lanes.forget(due);
      return [];
    });
    const groups = Map.groupBy(prepared, ({ current }) => viewerKey(current));
    await Promise.all([...groups.values()].map(sendAs));
  }

  /** Starts what may start. Attempts that end in the meantime make room for the next round, so that events are rendered in batches. */
  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      while (!closed && isActive()) {
        const taken = lanes.take();
        if (taken.length === 0) break;
        await Promise.race([sendAll(taken), sleep(patienceMs)]);
      }
    } finally {
      isPumping = false;
    }
    if (!closed) onRoom();
  }

  return {
    lanes,
    /** Adds deliveries that are due. */
    add(deliveries: readonly DueDelivery[]): void {
      lanes.add(deliveries);
      void pump();
    },
    /** Another process is active. */
    clear: () => lanes.clear(),
    async close(): Promise<void> {
      closed = true;
      lanes.clear();
      const deadline = performance.now() + graceMs;
      while (lanes.running() > 0 && performance.now() < deadline) await sleep(20);
      abandoned.abort();
      await recorder.close();
    },
  };
}

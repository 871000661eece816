/**
 * Key changes: a channel on which the accounts area announces that one key, or possibly all keys, have changed.
 * A subscriber sends itself a heartbeat every second over the same channel, so it knows whether it would receive a change.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';

/** Receives the changes; keys are named by their public id. */
export interface KeyChangeListener {
  changed(publicId: string): void;
  changedAll(): void;
  /** The channel was opened or reopened: earlier changes may have been missed. */
  reconnected(): void;
}

export interface KeyChanges {
  /** Whether the channel announces every change. An incomplete one is trusted only while the database is down. */
  readonly isComplete: boolean;
  /** performance.now() since when no announced change was missed; Infinity while disconnected. */
  reliableSince(): number;
  close(): Promise<void>;
}

export type OpenKeyChanges = (listener: KeyChangeListener) => KeyChanges;

/** The transport of the messages; it reconnects automatically. */
export interface KeyChangeChannel {
  /** Whether every change is announced in its own transaction, whichever process makes it. */
  readonly isComplete: boolean;
  /** Rejects while disconnected. */
  send(payload: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface ChannelListener {
  /** Called each time the channel starts to receive. */
  connected(): void;
  lost(): void;
  message(payload: string): void;
}

const heartbeatMs = 1_000;
const silenceMs = 2_500;
const heartbeat = 'beat ';
/** The payload that announces a change of many keys. */
const allKeys = '*';

/** Key changes over a channel. `name` identifies it in the log. */
export function createKeyChanges(
  name: string,
  connect: (listener: ChannelListener) => KeyChangeChannel,
  log: Pick<Logger, 'warn'>,
): OpenKeyChanges {
  return (listener) => {
    const ownHeartbeat = `${heartbeat}${randomUUID()} `;
    let connectedAt = Infinity;
    /** Send time of the newest own heartbeat that came back: everything announced before it has arrived, too. */
    let confirmedAt = -Infinity;
    let loggedAsLost = false;
    const openedAt = performance.now();

    const isConnected = (): boolean => performance.now() - confirmedAt < silenceMs;

    function send(): void {
      channel.send(`${ownHeartbeat}${performance.now()}`).catch(() => {
        confirmedAt = -Infinity;
      });
    }

    function logTransition(): void {
      const isOpening = confirmedAt === -Infinity && performance.now() - openedAt < silenceMs;
      if (isConnected() !== loggedAsLost || isOpening) return;
      loggedAsLost = !loggedAsLost;
      log.warn({ channel: name }, loggedAsLost ? 'key-change channel lost' : 'key-change channel restored');
    }

    const channel = connect({
      connected() {
        connectedAt = performance.now();
        listener.reconnected();
        send();
      },
      lost() {
        connectedAt = Infinity;
        confirmedAt = -Infinity;
      },
      message(payload) {
        if (payload.startsWith(ownHeartbeat)) confirmedAt = Math.max(confirmedAt, Number(payload.slice(ownHeartbeat.length)));
        else if (payload === allKeys) listener.changedAll();
        else if (!payload.startsWith(heartbeat)) listener.changed(payload);
      },
    });
    const timer = setInterval(() => {
      logTransition();
      send();
    }, heartbeatMs).unref();

    return {
      isComplete: channel.isComplete,
      reliableSince: () => (isConnected() ? connectedAt : Infinity),
      async close() {
        clearInterval(timer);
        await channel.close();
      },
    };
  };
}

/**
 * News of keys: a channel on which the accounts area tells that one has changed, or all may have.
 * A listener sends itself a word every second over the same channel, so it knows whether it would hear of a change.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';

/** What a channel tells: the public id of the key that changed, or `*` when it concerns many. */
export interface KeyChangeListener {
  changed(publicId: string): void;
  changedAll(): void;
  /** The channel was opened, or opened again: what was told before may have been missed. */
  reconnected(): void;
}

export interface KeyChanges {
  /** Whether it tells of every change. One that may forget some is trusted only where nobody can be asked. */
  readonly isComplete: boolean;
  /** performance.now() since when nothing that was told is missed; Infinity while the channel is not heard. */
  reliableSince(): number;
  close(): Promise<void>;
}

export type OpenKeyChanges = (told: KeyChangeListener) => KeyChanges;

/** What carries the words; it connects again by itself. */
export interface KeyChangeChannel {
  /** Whether what changes is told with the change, by whomever it is made. */
  readonly isComplete: boolean;
  /** Rejects while it is not connected. */
  send(payload: string): Promise<unknown>;
  close(): Promise<void>;
}

export interface ChannelListener {
  /** Each time that the wire begins to hear. */
  connected(): void;
  /** The connection is gone. */
  lost(): void;
  message(payload: string): void;
}

const beatMs = 1_000;
const silenceMs = 2_500;
const beat = 'beat ';

/** News over a wire. `name` is what the log calls it. */
export function createKeyChanges(
  name: string,
  connect: (ear: ChannelListener) => KeyChangeChannel,
  log: Pick<Logger, 'warn'>,
): OpenKeyChanges {
  return (told) => {
    const ownBeat = `${beat}${randomUUID()} `;
    let connectedAt = Infinity;
    /** When the newest of our own words that came back was sent: all that was told before it has come, too. */
    let heardAt = -Infinity;
    let silent = false;

    const isHeard = (): boolean => performance.now() - heardAt < silenceMs;

    function send(): void {
      wire.send(`${ownBeat}${performance.now()}`).catch(() => {
        heardAt = -Infinity;
      });
    }

    function tell(): void {
      if (isHeard() !== silent) return;
      silent = !silent;
      log.warn({ channel: name }, silent ? 'changes of keys are not heard' : 'changes of keys are heard again');
    }

    const wire = connect({
      connected() {
        connectedAt = performance.now();
        told.reconnected();
        send();
      },
      lost() {
        connectedAt = Infinity;
        heardAt = -Infinity;
      },
      message(payload) {
        if (payload.startsWith(ownBeat)) heardAt = Math.max(heardAt, Number(payload.slice(ownBeat.length)));
        else if (payload === '*') told.changedAll();
        else if (!payload.startsWith(beat)) told.changed(payload);
      },
    });
    const timer = setInterval(() => {
      tell();
      send();
    }, beatMs).unref();

    return {
      isComplete: wire.isComplete,
      reliableSince: () => (isHeard() ? connectedAt : Infinity),
      async close() {
        clearInterval(timer);
        await wire.close();
      },
    };
  };
}

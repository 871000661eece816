/** One open stream: writes the events that follow its position, first those of the feed, then new ones. */
import type { Writable } from 'node:stream';
import type { Viewer } from '../../schema/viewer.ts';
import type { Batch, Member } from './audiences.ts';
import type { EventFilter } from './event-filter.ts';
import type { Frame } from './event-frames.ts';
import type { StreamEnd } from './stream-limits.ts';

/** Comments at the end of a stream, for people who look at one. */
const endings: Readonly<Record<StreamEnd | 'SLOW_READER' | 'QUOTA' | 'LOST', string>> = {
  KEY_CHANGED: 'the API key or its account has changed',
  TIME_LIMIT: 'the stream has reached its time limit',
  SHUTDOWN: 'the process is shutting down',
  SLOW_READER: 'the client reads more slowly than events happen',
  QUOTA: 'the quota does not allow further earlier events',
  LOST: 'the events could not be read',
};

export type Ending = keyof typeof endings;

export interface EventStreamOptions {
  readonly viewer: Viewer;
  readonly filter: EventFilter;
  /** Called once, when the stream has ended. */
  readonly onFinished: () => void;
  /** Bytes that wait for a slow client at most. */
  readonly bufferedBytesMax: number;
}

/** New events that wait until the earlier ones are written. */
const waitingMax = 1_000;
/** A client that does not read the end of its stream is disconnected. */
const disconnectAfterMs = 5_000;
/** Spread, so that the clients of a process do not reconnect at once. */
const retryMs = (): number => 1_000 + Math.floor(Math.random() * 4_000);

export class EventStream implements Member {
  readonly viewer: Viewer;
  readonly filter: EventFilter;
  readonly #options: EventStreamOptions;
  #output: Writable | null = null;
  /** Null once the stream is live. */
  #waiting: Frame[] | null = [];
  #hasDropped = false;
  #position = 0;
  #isFinished = false;

  constructor(options: EventStreamOptions) {
    this.viewer = options.viewer;
    this.filter = options.filter;
    this.#options = options;
  }

  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Events up to this sequence are not written. */
  skipTo(sequence: number): void {
    this.#position = sequence;
  }

  /** Starts to write. A stream that has already ended, or an output that is closed, ends at once. */
  start(output: Writable, preamble: string): void {
    this.#output = output;
    output.once('close', () => this.#finish());
    // a write to a connection that has just been closed
    output.on('error', () => this.#finish());
    if (output.destroyed || this.#isFinished) {
      output.destroy();
      this.#finish();
    } else output.write(preamble);
  }

  onBatch({ frames, bytes }: Batch): void {
    const [first] = frames;
    const last = frames.at(-1);
    if (this.#isFinished || first === undefined || last === undefined || last.sequence <= this.#position) return;
    if (this.#waiting !== null) return this.#wait(frames);
    this.#write(first.sequence > this.#position ? bytes : this.#following(frames));
    this.#position = last.sequence;
  }

  onLost(): void {
    this.end('LOST');
  }

  /** Writes earlier events. */
  writeEarlier(frames: readonly Frame[]): void {
    if (this.#isFinished) return;
    if (frames.length > 0) this.#output?.write(Buffer.concat(frames.map(({ bytes }) => bytes)));
    this.#position = frames.at(-1)?.sequence ?? this.#position;
  }

  /** Resolves when the client has read what was written, or the stream has ended. */
  async drained(): Promise<void> {
    const output = this.#output;
    if (output === null || !output.writableNeedDrain || output.destroyed) return;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    output.once('drain', resolve).once('close', resolve);
    await promise;
    output.off('drain', resolve).off('close', resolve);
  }

  /** Writes new events from now on. Returns false when some were dropped: the feed must be read again. */
  goLive(): boolean {
    const waiting = this.#waiting ?? [];
    if (this.#hasDropped) {
      this.#waiting = [];
      this.#hasDropped = false;
      return false;
    }
    this.#waiting = null;
    const bytes = this.#following(waiting);
    if (bytes.length > 0) this.#write(bytes);
    this.#position = Math.max(this.#position, waiting.at(-1)?.sequence ?? 0);
    return true;
  }

  /** Writes a comment, which keeps the connection open. */
  beat(comment: Buffer): void {
    if (this.#waiting === null && !this.#isFinished) this.#write(comment);
  }

  /** Ends the stream. The client can resume it after its last event. */
  end(ending: Ending): void {
    const output = this.#output;
    if (this.#isFinished) return;
    this.#finish();
    if (output === null) return;
    output.end(`retry: ${retryMs()}\n: ${endings[ending]}\n\n`);
    const timer = setTimeout(() => output.destroy(), disconnectAfterMs).unref();
    output.once('close', () => clearTimeout(timer));
  }

  #following(frames: readonly Frame[]): Buffer {
    return Buffer.concat(frames.filter(({ sequence }) => sequence > this.#position).map(({ bytes }) => bytes));
  }

  #wait(frames: readonly Frame[]): void {
    if (this.#hasDropped) return;
    this.#waiting?.push(...frames);
    if ((this.#waiting?.length ?? 0) <= waitingMax) return;
    this.#waiting = [];
    this.#hasDropped = true;
  }

  #write(bytes: Buffer): void {
    const output = this.#output;
    if (output === null) return;
    output.write(bytes);
    if (output.writableLength > this.#options.bufferedBytesMax) this.end('SLOW_READER');
  }

  #finish(): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    this.#options.onFinished();
  }
}

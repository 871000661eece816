/** One framed connection after its handshake, the same for both sides: batched writes, authentic frames, and the detection of a dead peer. */
import type { Duplex } from 'node:stream';
import { createRecordReader, createRecordWriter, type Frame } from './record.ts';

/** Frame types. The id of a frame is that of the request that it belongs to; 0 for frames of the connection. */
export const frameTypes = {
  /** Client: a call. */
  REQUEST: 1,
  /** Server: the response to a call. */
  RESPONSE: 2,
  /** Server: the call failed; it was not executed. The body is an error code. */
  REJECTION: 3,
  /** Client: the caller does not wait any longer. */
  CANCEL: 4,
  /** Server: requests a value that only the client has, for an open call. */
  QUESTION: 5,
  /** Client: the value. */
  ANSWER: 6,
  PING: 7,
  PONG: 8,
  /** Server: no further calls, please. Client: this was the last call. */
  DRAIN: 9,
} as const;

export interface ConnectionOptions {
  readonly socket: Duplex;
  /** Bytes received together with the handshake. */
  readonly head: Buffer;
  readonly sendKey: Buffer;
  readonly receiveKey: Buffer;
  /** The client sends the first record, which proves that it has the keys. */
  readonly side: 'CLIENT' | 'SERVER';
  readonly onFrame: (frame: Frame) => void;
  /** Called once, with the reason. */
  readonly onClose: (reason: string) => void;
}

export interface FrameConnection {
  /** Sends a frame with all others of the same turn of the event loop. */
  send(type: number, id: number, body?: string): void;
  /** The highest request id that was passed to the socket: later ones have certainly not reached the peer. */
  sentId(): number;
  /** Bytes that the peer has not accepted yet. */
  bufferedBytes(): number;
  /** When the last bytes arrived, on the clock of `performance.now()`. */
  lastReceivedMs(): number;
  /** Stops or continues to read from the peer. */
  setReading(reads: boolean): void;
  /** Sends what is pending and closes. */
  end(): void;
  destroy(reason: string): void;
}

/** The largest frame: a response or request of this size is rejected before it is sent. */
export const maxFrameBytes = 16 * 1024 * 1024;
const maxRecordBytes = maxFrameBytes + 1024 * 1024;
/** The first record of a client is a ping. */
const firstRecordMaxBytes = 64;
const pingEveryMs = 5_000;
/** A busy process may not respond for some seconds; a dead one never does. */
const silenceMs = 20_000;

export function createConnection(options: ConnectionOptions): FrameConnection {
  const { socket, head, side, onFrame, onClose } = options;
  const write = createRecordWriter(options.sendKey);
  let queue: Frame[] = [];
  let isScheduled = false;
  let isClosed = false;
  let reads = true;
  let lastSentId = 0;
  let lastReceivedMs = performance.now();

  function closed(reason: string): void {
    if (isClosed) return;
    isClosed = true;
    clearInterval(timer);
    socket.destroy();
    onClose(reason);
  }

  function flush(): void {
    isScheduled = false;
    if (isClosed || queue.length === 0) return;
    const frames = queue;
    queue = [];
    const records = write(frames);
    socket.cork();
    for (const record of records) socket.write(record);
    socket.uncork();
    for (const { type, id } of frames) if (type === frameTypes.REQUEST && id > lastSentId) lastSentId = id;
  }

  function send(type: number, id: number, body = ''): void {
    if (isClosed) return;
    queue.push({ type, id, body });
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(flush);
  }

  const reader = createRecordReader({
    key: options.receiveKey,
    maxBytes: maxRecordBytes,
    firstMaxBytes: side === 'SERVER' ? firstRecordMaxBytes : maxRecordBytes,
    onFrame(frame) {
      if (isClosed || frame.type === frameTypes.PONG) return;
      if (frame.type === frameTypes.PING) send(frameTypes.PONG, 0);
      else onFrame(frame);
    },
  });

  function receive(chunk: Buffer): void {
    lastReceivedMs = performance.now();
    try {
      reader.push(chunk);
    } catch (error) {
      closed(error instanceof Error ? error.message : String(error));
    }
  }

  const timer = setInterval(() => {
    const silentMs = performance.now() - lastReceivedMs;
    if (!reads) return;
    if (silentMs > silenceMs) closed(`no response for ${Math.round(silentMs)} ms`);
    else if (silentMs >= pingEveryMs) send(frameTypes.PING, 0);
  }, pingEveryMs).unref();

  if (head.length > 0) socket.unshift(head);
  socket.on('data', receive);
  socket.on('error', (error) => closed(error.message));
  socket.on('close', () => closed('closed by the peer'));
  socket.on('end', () => closed('closed by the peer'));
  if (side === 'CLIENT') {
    queue.push({ type: frameTypes.PING, id: 0, body: '' });
    flush();
  }

  return {
    send,
    sentId: () => lastSentId,
    bufferedBytes: () => socket.writableLength,
    lastReceivedMs: () => lastReceivedMs,
    setReading(next) {
      if (reads === next) return;
      reads = next;
      lastReceivedMs = performance.now();
      if (next) socket.resume();
      else socket.pause();
    },
    end() {
      flush();
      if (isClosed) return;
      isClosed = true;
      clearInterval(timer);
      socket.end(() => socket.destroy());
      onClose('closed');
    },
    destroy: closed,
  };
}

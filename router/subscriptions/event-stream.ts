/** Subscriptions over Server-Sent Events: the distinct connections mode of graphql-sse (https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md). */
import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { createOpenStreams } from '../streams/open-streams.ts';
import { limits } from './limits.ts';

export interface EventStream {
  write(chunk: Buffer | string): void;
  /** Ends the stream after these errors, if there are any; `complete` reports that no payload follows. */
  complete(errorsJson: string | null): void;
  /** Ends the stream without `complete`: the client connects again. */
  disconnect(): void;
}

export interface EventStreams {
  /** Sends the headers of a stream. `onClose` is called once when the connection closes, for any reason. */
  open(reply: FastifyReply, headers: Readonly<Record<string, string>>, onClose: () => void): EventStream;
  close(): void;
}

const heartbeat = Buffer.from(':\n\n');

function createEventStream(raw: ServerResponse): EventStream {
  function write(chunk: Buffer | string): void {
    if (raw.writableEnded || raw.destroyed) return;
    // the client does not read: it connects again and receives the current state
    if (raw.writableLength > limits.bufferedBytes) raw.destroy();
    else raw.write(chunk);
  }
  return {
    write,
    complete(errorsJson) {
      if (errorsJson !== null) write(`event: next\ndata: {"errors":${errorsJson}}\n\n`);
      write('event: complete\ndata:\n\n');
      raw.end();
    },
    disconnect: () => void raw.end(),
  };
}

/** The open streams of an API. */
export function createEventStreams(): EventStreams {
  const open = createOpenStreams<EventStream>((stream) => stream.write(heartbeat));

  return {
    open(reply, headers, onClose) {
      reply.hijack();
      const { raw } = reply;
      reply.headers({
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
      raw.writeHead(200);
      raw.flushHeaders();
      const stream = createEventStream(raw);
      open.add(stream);
      raw.once('close', () => {
        open.remove(stream);
        onClose();
      });
      return stream;
    },
    close() {
      for (const stream of open.all()) stream.disconnect();
    },
  };
}

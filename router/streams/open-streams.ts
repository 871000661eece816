/** What all streams of a process have in common: heartbeats, and a limit of what waits for a client. */

/** Bytes that wait for a client that does not read, before it is disconnected (docs/limits.md). */
export const bufferedBytesMax = 256 * 1024;
/** Interval of heartbeats. */
export const heartbeatEveryMs = 15_000;

export interface OpenStreams<Stream> {
  add(stream: Stream): void;
  remove(stream: Stream): void;
  all(): Stream[];
}

/**
 * The open streams, with one timer for all of their heartbeats: a heartbeat says nothing about the events between two of them.
 * @param beat writes a comment to a stream, which keeps its connection open
 */
export function createOpenStreams<Stream>(beat: (stream: Stream) => void, everyMs = heartbeatEveryMs): OpenStreams<Stream> {
  const open = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;
  return {
    add(stream) {
      open.add(stream);
      timer ??= setInterval(() => [...open].forEach(beat), everyMs).unref();
    },
    remove(stream) {
      open.delete(stream);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
    all: () => [...open],
  };
}

/** Answers that bridges in other processes were given and have not told yet. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { DoorAnswer } from '../schema/door.ts';
import { errors, isErrorCode } from '../schema/errors.ts';

/** A bridge tells within a second; what is not told then never will be, and is taken to be what it was to us. */
const openMax = 50_000;
const openMs = 60_000;
const sweepMs = 10_000;

type Open = Pick<DoorAnswer, 'settle' | 'errors'>;

/** What the client was told, as far as the router can know. */
function statusOf({ errors: [fault] }: Open): number {
  if (fault === undefined) return 200;
  const { code } = fault.extensions;
  return isErrorCode(code) ? errors[code].status : 500;
}

export interface OpenAnswers {
  /** Keeps an answer until it is told; returns the name it goes by. */
  keep(answer: Open): string;
  /** The client was told this. */
  settle(name: string, status: number): void;
  /** Nobody tells any more. */
  close(): void;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new LRUCache<string, Open>({
    max: openMax,
    ttl: openMs,
    dispose: (answer, _, reason) => {
      if (reason === 'evict' || reason === 'expire') answer.settle({ status: statusOf(answer) });
    },
  });
  const sweep = setInterval(() => open.purgeStale(), sweepMs);
  sweep.unref();
  return {
    keep(answer) {
      const name = randomUUID();
      open.set(name, answer);
      return name;
    },
    settle(name, status) {
      open.peek(name)?.settle({ status });
      open.delete(name);
    },
    close() {
      clearInterval(sweep);
      for (const answer of open.values()) answer.settle({ status: statusOf(answer) });
      open.clear();
    },
  };
}

/** Answers that bridges in other processes were given and have not told yet. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OperationResponse, Outcome } from '../schema/entry-point.ts';
import { errors, isErrorCode } from '../schema/errors.ts';

/** A bridge tells within a second; what is not told then never will be, and is taken to be what it was to us. */
const openMax = 50_000;
const openMs = 60_000;
const sweepMs = 10_000;

type Answer = Pick<OperationResponse, 'settle' | 'errors'>;

/** Nothing else of the answer: its data would fill the memory when a bridge is gone, or tells nothing. */
interface Open extends Pick<OperationResponse, 'settle'> {
  readonly status: number;
}

/** What the client was told, as far as the router can know. */
function statusOf({ errors: [fault] }: Answer): number {
  if (fault === undefined) return 200;
  const { code } = fault.extensions;
  return isErrorCode(code) ? errors[code].status : 500;
}

export interface OpenAnswers {
  /** Keeps an answer until it is told; returns the name it goes by. */
  keep(answer: Answer): string;
  /** The client was told this. */
  settle(name: string, told: Outcome): void;
  /** Nobody tells any more. */
  close(): void;
}

export function createOpenAnswers(): OpenAnswers {
  const open = new LRUCache<string, Open>({
    max: openMax,
    ttl: openMs,
    dispose: ({ settle, status }, _, reason) => {
      if (reason === 'evict' || reason === 'expire') settle({ status });
    },
  });
  const sweep = setInterval(() => open.purgeStale(), sweepMs);
  sweep.unref();
  return {
    keep(answer) {
      const name = randomUUID();
      open.set(name, { settle: answer.settle, status: statusOf(answer) });
      return name;
    },
    settle(name, told) {
      open.peek(name)?.settle(told);
      open.delete(name);
    },
    close() {
      clearInterval(sweep);
      for (const { settle, status } of open.values()) settle({ status });
      open.clear();
    },
  };
}

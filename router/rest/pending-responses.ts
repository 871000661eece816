/** Responses sent to bridges in other processes whose outcome has not been reported yet. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { OperationResponse, Outcome } from '../../schema/entry-point.ts';
import { errors, isErrorCode } from '../../schema/errors.ts';
import { reportedError, type ReportedError } from '../../schema/reported-error.ts';

/** A bridge reports outcomes within a second. After a minute the router settles with its own status. */
const pendingMax = 50_000;
const pendingMs = 60_000;
const sweepMs = 10_000;

type Response = Pick<OperationResponse, 'settle' | 'errors'>;

/** Without the data: it would fill the memory when a bridge is down. */
interface Pending extends Pick<OperationResponse, 'settle'> {
  readonly status: number;
  readonly error: ReportedError | null;
}

/** The status that the client most likely received. */
function statusOf({ errors: [error] }: Response): number {
  if (error === undefined) return 200;
  const { code } = error.extensions;
  return isErrorCode(code) ? errors[code].status : 500;
}

export interface PendingResponses {
  /** Stores a response until its outcome is reported; returns its settlement id. */
  add(response: Response): string;
  settle(id: string, outcome: Outcome): void;
  /** Settles everything that is left. */
  close(): void;
}

export function createPendingResponses(): PendingResponses {
  const pending = new LRUCache<string, Pending>({
    max: pendingMax,
    ttl: pendingMs,
    dispose: ({ settle, status, error }, _, reason) => {
      if (reason === 'evict' || reason === 'expire') settle({ status, error });
    },
  });
  const sweep = setInterval(() => pending.purgeStale(), sweepMs);
  sweep.unref();
  return {
    add(response) {
      const id = randomUUID();
      pending.set(id, { settle: response.settle, status: statusOf(response), error: reportedError(response.errors[0]) });
      return id;
    },
    settle(id, outcome) {
      pending.peek(id)?.settle(outcome);
      pending.delete(id);
    },
    close() {
      clearInterval(sweep);
      for (const { settle, status, error } of pending.values()) settle({ status, error });
      pending.clear();
    },
  };
}

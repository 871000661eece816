/** A loop that only the leader runs, such as the relay. */
import type { Logger } from 'pino';
import { createPause } from './pause.ts';

const retryMs = 1_000;
/** Notifications wake loops up; the poll finds what a lost one announced. */
const idlePollMs = 10_000;

export interface LoopOptions {
  /** Names the loop in the log. */
  readonly name: string;
  /** The PostgreSQL channels whose notifications wake up the loop. */
  readonly channels: readonly string[];
  /** One pass of the leader. Returns the pause before the next one in milliseconds; a notification or the poll ends it earlier. */
  readonly pass: () => Promise<number>;
  /** Called before the first pass, and when another process may have been the leader since the last one. */
  readonly onElected: () => void;
  /** Longest pause between two passes; default: 10 s. Infinity: only an election and notifications start a pass. */
  readonly pollMs?: number | undefined;
}

export interface Loop {
  /** Starts the next pass now. */
  wakeUp(): void;
  /** Resolves after the pass in progress. */
  close(): Promise<void>;
}

export interface Election {
  /** Whether this process is the leader. */
  readonly isHeld: () => boolean;
  /** How often this process was elected. */
  readonly term: () => number;
  readonly log: Logger;
}

/** Starts a loop. A pass that fails is logged and repeated after a second. The caller wakes it up when the process is elected. */
export function startLoop(
  { name, pass, onElected, pollMs = idlePollMs }: Omit<LoopOptions, 'channels'>,
  { isHeld, term, log }: Election,
): Loop {
  const pause = createPause();
  let isClosed = false;
  let lastTerm = 0;

  /** Returns the pause before the next step. */
  async function step(): Promise<number> {
    if (!isHeld()) return pollMs;
    if (lastTerm !== term()) onElected();
    lastTerm = term();
    return Math.min(pollMs, await pass());
  }

  async function run(): Promise<void> {
    while (!isClosed) {
      const waitMs = await step().catch((error: unknown) => {
        log.warn({ err: error }, `retrying ${name}`);
        return retryMs;
      });
      // `close` ends the pause, also one that has not started
      await pause.wait(waitMs);
    }
  }
  const ended = run();

  return {
    wakeUp: pause.wakeUp,
    async close() {
      isClosed = true;
      pause.wakeUp();
      await ended;
    },
  };
}

/** Calls between the bench and the processes it starts: one message there, one back. */
import { fork } from 'node:child_process';

interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly fault?: string;
}

export interface Child {
  /** Rejects with the child's fault, when it ends before it answers, and when it does not answer in time. */
  call<Result>(name: string, argument?: unknown, timeoutMs?: number): Promise<Result>;
  /** Ends the process at once, as a crash does. */
  kill(): void;
  /** Asks the process to close what it opened; kills it when that takes too long. */
  stop(): Promise<void>;
}

type Handler = (argument: never) => unknown;

const stopTimeoutMs = 10_000;
const callTimeoutMs = 60_000;

/** In a child: answers calls by name, and ends with its parent. */
export function answerCalls(handlers: Readonly<Record<string, Handler>>): void {
  process.on('message', ({ id, name, argument }: Call) => {
    const reply = (told: Omit<Reply, 'id'>): void => void process.send?.({ id, ...told });
    const handler = handlers[name];
    if (handler === undefined) return reply({ fault: `there is no call ${name}` });
    Promise.try(() => handler(argument as never)).then(
      (value) => reply({ value }),
      (fault: unknown) => reply({ fault: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault) }),
    );
  });
  process.once('disconnect', () => process.exit());
}

/** Starts a module as a process of its own. Its log lines go nowhere, what it writes to stderr is shown. */
export function startChild(file: string): Child {
  const child = fork(file, [], {
    // as deployed: graphql-js and Apollo check more in development
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let last = 0;
  child.on('message', ({ id, value, fault }: Reply) => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (fault === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(fault));
  });
  void ended.then(() => {
    for (const waiter of waiting.values()) waiter.reject(new Error(`${file} ended before it answered`));
  });
  return {
    async call<Result>(name: string, argument?: unknown, timeoutMs = callTimeoutMs): Promise<Result> {
      const waiter = Promise.withResolvers<unknown>();
      last += 1;
      waiting.set(last, waiter);
      const timer = setTimeout(() => waiter.reject(new Error(`${file} did not answer ${name} in time`)), timeoutMs);
      child.send({ id: last, name, argument }, (fault) => {
        if (fault) waiter.reject(fault);
      });
      try {
        return (await waiter.promise) as Result;
      } finally {
        clearTimeout(timer);
      }
    },
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      child.send({ id: 0, name: 'stop' }, () => undefined);
      await ended;
      clearTimeout(timer);
    },
  };
}

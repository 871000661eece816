/** Calls between the benchmark and the processes it starts: one request message, one reply message. */
import { fork } from 'node:child_process';

interface Call {
  readonly id: number;
  readonly name: string;
  readonly argument: unknown;
}

interface Reply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

export interface Child {
  /** Rejects with the child's error, when the child exits before it replies, and on a timeout. */
  call<Result>(name: string, argument?: unknown, timeoutMs?: number): Promise<Result>;
  readonly pid: number;
  /** Kills the process, as in a crash. */
  kill(): void;
  /** Stops or continues the process. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** Asks the process to close; kills it on a timeout. */
  stop(): Promise<void>;
}

type Handler = (argument: never) => unknown;

const stopTimeoutMs = 10_000;
const callTimeoutMs = 60_000;

/** In a child process: dispatches calls by name, and exits with its parent. */
export function answerCalls(handlers: Readonly<Record<string, Handler>>): void {
  process.on('message', ({ id, name, argument }: Call) => {
    const reply = (result: Omit<Reply, 'id'>): void => void process.send?.({ id, ...result });
    const handler = handlers[name];
    if (handler === undefined) return reply({ error: `unknown call: ${name}` });
    Promise.try(() => handler(argument as never)).then(
      (value) => reply({ value }),
      (error: unknown) => reply({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
}

/** Starts a module in a separate process. Its log is discarded, its stderr is printed. */
export function startChild(file: string, nodeOptions: readonly string[] = []): Child {
  const child = fork(file, [], {
    execArgv: [...process.execArgv, ...nodeOptions],
    // as deployed: graphql-js and Apollo run extra checks in development
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let last = 0;
  child.on('message', ({ id, value, error }: Reply) => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) waiter?.resolve(value);
    else waiter?.reject(new Error(error));
  });
  void ended.then(() => {
    for (const waiter of waiting.values()) waiter.reject(new Error(`${file} ended before it responded`));
  });
  return {
    // 0 only when the process could not start, which the first call reports
    pid: child.pid ?? 0,
    async call<Result>(name: string, argument?: unknown, timeoutMs = callTimeoutMs): Promise<Result> {
      const waiter = Promise.withResolvers<unknown>();
      last += 1;
      waiting.set(last, waiter);
      const timer = setTimeout(() => waiter.reject(new Error(`${file} did not response ${name} in time`)), timeoutMs);
      child.send({ id: last, name, argument }, (error) => {
        if (error) waiter.reject(error);
      });
      try {
        return (await waiter.promise) as Result;
      } finally {
        clearTimeout(timer);
      }
    },
    kill: () => void child.kill('SIGKILL'),
    signal: (name) => void child.kill(name),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
      child.send({ id: 0, name: 'stop' }, () => undefined);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Starts a receiver of webhooks as a process, sends it the signed messages, and returns what it responded and printed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRecord } from '../schema/records.ts';
import { exchangeMessages, receiverSecret } from './webhook-messages.ts';

export interface ReceiverCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly folder: string;
}

export interface ReceiverReport {
  readonly statuses: Readonly<Record<string, number>>;
  /** The lines of the standard output. */
  readonly printed: readonly string[];
}

const startTimeoutMs = 30_000;
const printTimeoutMs = 5_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address: unknown = server.address();
  server.close();
  await once(server, 'close');
  return isRecord(address) ? Number(address['port']) : 0;
}

/** Waits until the receiver accepts connections. Throws Error if it does not. */
async function waitForServer(url: string, hasExited: () => boolean, output: () => string): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; ; await sleep(50)) {
    const isListening = await fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    );
    if (isListening) return;
    if (hasExited() || Date.now() > deadline) throw new Error(`The receiver did not start.\n${output()}`);
  }
}

/** The receiver reads PORT and WEBHOOK_SECRET. `lines` is the number of lines to wait for. */
export async function checkReceiver({ program, args, folder }: ReceiverCommand, lines: number): Promise<ReceiverReport> {
  const port = await freePort();
  const environment = { ...process.env, PORT: String(port), WEBHOOK_SECRET: receiverSecret };
  const child = spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<void>((resolve) => void child.once('error', () => resolve()).once('close', () => resolve()));
  let [out, error] = ['', ''];
  child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (error += bytes.toString()));
  const printed = (): string[] => out.split('\n').filter((line) => line !== '');
  try {
    const url = `http://127.0.0.1:${port}/`;
    await waitForServer(
      url,
      () => child.exitCode !== null || child.pid === undefined,
      () => error,
    );
    const statuses = await exchangeMessages(url);
    for (const deadline = Date.now() + printTimeoutMs; printed().length < lines && Date.now() < deadline;) await sleep(20);
    return { statuses, printed: printed() };
  } finally {
    child.kill();
    await exited;
  }
}

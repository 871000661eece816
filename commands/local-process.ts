/** What the start of a process on this machine needs: a free port, the wait until it responds, and its end with this process. */
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A busy machine starts twelve processes at once. */
const startTimeoutMs = 150_000;

const children = new Map<ChildProcess, NodeJS.Signals>();

function endChildren(): void {
  for (const [child, signal] of children) child.kill(signal);
}

/** Sends a signal to the process when this process exits before it. Returns it. */
export function endWithThisProcess<Child extends ChildProcess>(child: Child, signal: NodeJS.Signals = 'SIGKILL'): Child {
  if (children.size === 0) process.once('exit', endChildren);
  children.set(child, signal);
  child.once('exit', () => {
    children.delete(child);
    if (children.size === 0) process.off('exit', endChildren);
  });
  return child;
}

/** Whether a process can listen on a port. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!(await listening)) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** A free port below the range from which systems take the ports of outgoing connections: none of those takes it before the caller listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

/** Resolves when the URL returns a successful response. Throws Error on a timeout, or when the process exits. */
export async function waitForSuccess(url: string, child?: ChildProcess): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    if (child !== undefined && child.exitCode !== null) throw new Error(`the process for ${url} exited with ${child.exitCode}`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    if (Date.now() > deadline) throw new Error(`${url} does not respond`);
    await sleep(100);
  }
}

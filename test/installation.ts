/** An installation with an embedded database, started, stopped and operated by commands as in production. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { endWithThisProcess, freePort } from '../commands/local-process.ts';
import { createClient, type Client } from './client.ts';
import { createServerFolder } from './embedded-disk.ts';
import { eventually } from './eventually.ts';

const root = join(import.meta.dirname, '..');

export interface Installation {
  /** Contains `.data`, and is accessible to PostgreSQL. */
  readonly folder: string;
  readonly dataDirectory: string;
  readonly url: string;
  /** Resolves when the platform is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Runs a command of `commands/`, and resolves with its output. */
  run(command: string, ...args: string[]): Promise<string>;
  /** Issues a key of the plan pro. */
  issueKey(account: string, scopes: string): Promise<string>;
  client(key: string): Client;
  /** Stops it if it runs, and removes its folder. */
  remove(): Promise<void>;
}

export async function createInstallation(variables: Readonly<Record<string, string>> = {}): Promise<Installation> {
  const folder = await createServerFolder();
  const dataDirectory = join(folder, '.data');
  const environment = { PATH: process.env['PATH'] ?? '', DATA_DIRECTORY: dataDirectory, ...variables };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let platform: ChildProcess | null = null;

  async function stop(): Promise<void> {
    if (platform === null || platform.exitCode !== null) return;
    const ended = once(platform, 'exit');
    platform.kill('SIGTERM');
    await ended;
    platform = null;
  }

  async function run(command: string, ...args: string[]): Promise<string> {
    const options = { cwd: root, env: environment };
    const { stdout } = await promisify(execFile)(process.execPath, [`commands/${command}.ts`, ...args], options);
    return stdout.trim();
  }

  return {
    folder,
    dataDirectory,
    url,
    async start() {
      const env = { ...environment, HOST: '127.0.0.1', PORT: String(port), SEED: 'none', LOG_LEVEL: 'silent' };
      platform = endWithThisProcess(
        spawn(process.execPath, ['main.ts'], { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }),
        'SIGTERM',
      );
      await eventually(async () => expect((await fetch(`${url}/ready`)).status).toBe(200), 180_000);
    },
    stop,
    run,
    issueKey: (account, scopes) => run('keys', 'issue', '--account', account, '--plan', 'pro', '--scopes', scopes, '--quiet'),
    client: (key) => createClient({ restUrl: url, graphqlUrl: url, key }),
    async remove() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

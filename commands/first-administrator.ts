/** Publishes the one-time setup link for the dashboard while the platform has no owner. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import type { Sessions } from '../router/administration/sessions.ts';
import { dataVariables, publicServerVariables, type Source } from '../wiring/environment.ts';

/** Origin of the dashboard, for links. */
export function dashboardOrigin(source: Source, port: number): string {
  const { PUBLIC_URL } = readEnvironment(source, publicServerVariables);
  return PUBLIC_URL === null ? `http://localhost:${port}` : new URL(PUBLIC_URL).origin;
}

export interface SetupLinkOptions {
  readonly source: Source;
  /** Port of the public server. */
  readonly port: number;
  /** True when stdout is a terminal. */
  readonly isTerminal: boolean;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Interval in which the file is removed after its link was used or has expired. Default: 5 s. */
  readonly checkEveryMs?: number;
}

/** Removes the file once the platform has an owner or the link has expired. */
function removeAfterUse(
  file: string,
  expiresAt: string,
  { hasAdministrators }: Pick<Sessions, 'hasAdministrators'>,
  { log, checkEveryMs = 5_000 }: SetupLinkOptions,
): void {
  const timer = setInterval(() => {
    void (async () => {
      const isExpired = Date.now() >= Date.parse(expiresAt);
      // while the database does not respond, the next check decides
      if (!isExpired && !(await hasAdministrators().catch(() => false))) return;
      clearInterval(timer);
      await rm(file, { force: true });
    })().catch((err: unknown) => log.warn({ err, file }, 'setup link not removed'));
  }, checkEveryMs).unref();
}

/**
 * Every start creates a new link and voids the previous one. On a terminal the link is returned, so that the caller prints it. Without a
 * terminal it is written to a file that only the file's owner can read, because logs are retained and widely readable; the file is removed once the link was used or has expired.
 * @returns null when the platform has an owner, the link is in the file, or no link could be created
 */
export async function publishSetupLink(
  sessions: Pick<Sessions, 'createSetupLink' | 'hasAdministrators'>,
  options: SetupLinkOptions,
): Promise<string | null> {
  const { source, port, isTerminal, log } = options;
  const { DATA_DIRECTORY } = readEnvironment(source, dataVariables);
  const file = join(DATA_DIRECTORY, 'admin-setup-link');
  try {
    const link = await sessions.createSetupLink();
    await rm(file, { force: true });
    if (link === null) return null;
    const url = `${dashboardOrigin(source, port)}${link.setupPath}`;
    if (isTerminal) return url;
    await mkdir(DATA_DIRECTORY, { recursive: true });
    // `wx` fails when another process has created the file in the meantime
    await writeFile(file, `${url}\n`, { mode: 0o600, flag: 'wx' });
    removeAfterUse(file, link.expiresAt, sessions, options);
    log.info({ file }, 'platform has no owner: this file contains the setup link');
  } catch (err) {
    // the platform works without the link
    log.warn({ err }, 'setup link not created: run npm run admin -- setup');
  }
  return null;
}

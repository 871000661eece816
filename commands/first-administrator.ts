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
}

/**
 * Every start creates a new link and voids the previous one. On a terminal the link is returned, so that the caller prints it. Without a
 * terminal it is written to a file that only the file's owner can read, because logs are retained and widely readable.
 * @returns null when the platform has an owner, the link is in the file, or no link could be created
 */
export async function publishSetupLink(
  { createSetupLink }: Pick<Sessions, 'createSetupLink'>,
  { source, port, isTerminal, log }: SetupLinkOptions,
): Promise<string | null> {
  const { DATA_DIRECTORY } = readEnvironment(source, dataVariables);
  const file = join(DATA_DIRECTORY, 'admin-setup-link');
  try {
    const link = await createSetupLink();
    await rm(file, { force: true });
    if (link === null) return null;
    const url = `${dashboardOrigin(source, port)}${link.setupPath}`;
    if (isTerminal) return url;
    await mkdir(DATA_DIRECTORY, { recursive: true });
    // `wx` fails when another process has created the file in the meantime
    await writeFile(file, `${url}\n`, { mode: 0o600, flag: 'wx' });
    log.info({ file }, 'platform has no owner: this file contains the setup link');
  } catch (err) {
    // the platform works without the link
    log.warn({ err }, 'setup link not created: run npm run admin -- setup');
  }
  return null;
}

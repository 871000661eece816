/** Shows the person at this machine the way into the dashboard, as long as the platform has no owner. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import type { Sessions } from '../router/administration/sessions.ts';
import { dataVariables, publicServerVariables, type Source } from '../wiring/environment.ts';

/** Where the dashboard is, for links. */
export function dashboardOrigin(source: Source, port: number): string {
  const { PUBLIC_URL } = readEnvironment(source, publicServerVariables);
  return PUBLIC_URL === null ? `http://localhost:${port}` : new URL(PUBLIC_URL).origin;
}

export interface Showing {
  readonly source: Source;
  /** Where the platform listens. */
  readonly port: number;
  /** Whether a person reads what is printed. */
  readonly terminal: boolean;
  readonly log: Pick<Logger, 'info' | 'warn'>;
}

/**
 * A new link with each start, which voids the one before. It is shown on a terminal; where there is none, it is written to a file that
 * its owner alone reads: logs are kept and read by many.
 */
export async function showSetupLink(
  { createSetupLink }: Pick<Sessions, 'createSetupLink'>,
  { source, port, terminal, log }: Showing,
): Promise<void> {
  const { DATA_DIRECTORY } = readEnvironment(source, dataVariables);
  const file = join(DATA_DIRECTORY, 'admin-setup-link');
  try {
    const link = await createSetupLink();
    await rm(file, { force: true });
    if (link === null) return;
    const url = `${dashboardOrigin(source, port)}${link.setupPath}`;
    if (terminal) {
      console.log(`\nThis platform has no owner yet. Make yourself its owner within half an hour:\n\n  ${url}\n`);
      return;
    }
    await mkdir(DATA_DIRECTORY, { recursive: true });
    // refuses a file that somebody else made meanwhile
    await writeFile(file, `${url}\n`, { mode: 0o600, flag: 'wx' });
    log.info({ file }, 'this platform has no owner yet: this file has the link by which the first owner comes in');
  } catch (err) {
    // the platform serves all the same
    log.warn({ err }, 'there is no link for the first administrator: npm run admin -- setup makes one');
  }
}

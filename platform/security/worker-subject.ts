/** On whose behalf the worker calls the graph: the system, or an account. */
import { isRecord } from '../../schema/records.ts';
import { accountViewer, SYSTEM, type Viewer } from '../../schema/viewer.ts';

const system = 'worker';

/** The subject of a call of the worker. Throws Error for viewers other than the system and accounts. */
export function formatWorkerSubject({ kind, accountId, scopes }: Viewer): string {
  if (kind === 'SYSTEM') return system;
  if (kind !== 'KEY' || accountId === null) throw new Error('The worker acts as the system or as an account.');
  return Buffer.from(JSON.stringify({ accountId, scopes })).toString('base64url');
}

/** The viewer of a subject; null for an invalid one. */
export function parseWorkerSubject(subject: string): Viewer | null {
  if (subject === system) return SYSTEM;
  try {
    const parsed: unknown = JSON.parse(Buffer.from(subject, 'base64url').toString('utf8'));
    if (!isRecord(parsed)) return null;
    const { accountId, scopes } = parsed;
    if (typeof accountId !== 'string' || !Array.isArray(scopes)) return null;
    return accountViewer(
      accountId,
      scopes.filter((each) => typeof each === 'string'),
    );
  } catch {
    return null;
  }
}

/** On whose behalf a sandbox calls the graph: the system or its account, on the test data of the account. */
import { isRecord } from '../../schema/records.ts';
import { accountViewer, inSandbox, SYSTEM, type Viewer } from '../../schema/viewer.ts';

/** The subject of a call of a sandbox. Throws Error for other viewers. */
export function formatSandboxSubject({ kind, accountId, scopes, sandbox }: Viewer): string {
  const isOwn = kind === 'SYSTEM' || (kind === 'KEY' && accountId === sandbox);
  if (sandbox === undefined || !isOwn) throw new Error('A sandbox acts as the system or as its account on test data.');
  return Buffer.from(JSON.stringify({ sandbox, scopes: kind === 'SYSTEM' ? null : scopes })).toString('base64url');
}

/** The viewer of a subject, always in a sandbox; null for an invalid one. */
export function parseSandboxSubject(subject: string): Viewer | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(subject, 'base64url').toString('utf8'));
    if (!isRecord(parsed)) return null;
    const { sandbox, scopes } = parsed;
    if (typeof sandbox !== 'string') return null;
    if (scopes === null) return inSandbox(SYSTEM, sandbox);
    const isList = Array.isArray(scopes) && scopes.every((each) => typeof each === 'string');
    return isList ? inSandbox(accountViewer(sandbox, scopes), sandbox) : null;
  } catch {
    return null;
  }
}

/** Check of SECRET: what an earlier version of it still protects. */
import pg from 'pg';
import { hasErrorCode } from '../../platform/error-code.ts';
import { auditPurpose, keyIdOf } from '../../platform/events/audit-digest.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { areas } from '../../schema/areas.ts';
import { failed, ok, skipped, warning, type Finding } from './finding.ts';

interface Counts {
  readonly keys: number;
  readonly webhooks: number;
  readonly factors: number;
}

/** Values of the accounts area that an earlier version protects; null when the area is not in this database. */
async function countValues(client: pg.Client, version: number): Promise<Counts | null> {
  try {
    const { rows } = await client.query<Counts>(
      `/* doctor.secret */ select
        (select count(*) from accounts.api_key where pepper_version <> $1 and status = 'ACTIVE' and coalesce(expires_at > now(), true))::int as keys,
        (select count(*) from accounts.webhook_secret where get_byte(encrypted, 0) <> $1)::int as webhooks,
        (select count(*) from accounts.second_factor where get_byte(encrypted, 0) <> $1)::int as factors`,
      [version],
    );
    return rows[0] ?? null;
  } catch (error) {
    if (hasErrorCode(error, '42P01', '3F000')) return null;
    throw error;
  }
}

/** Audit logs whose last digest was signed with the key of an earlier version. Before the first rotation there are none. */
async function countLogs(client: pg.Client, secrets: Secrets): Promise<number> {
  const { version, previous } = secrets;
  if (version === 1) return 0;
  const { rows: schemas } = await client.query<{ name: string }>(
    `/* doctor.auditedAreas */ select n.nspname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relname = 'audit_digest' and n.nspname = any($1)`,
    [[...areas]],
  );
  if (schemas.length === 0) return 0;
  const heads = schemas.map(
    ({ name }) => `(select distinct on (log) key_id from ${pg.escapeIdentifier(name)}.audit_digest order by log, number desc)`,
  );
  // a rotation cannot prove what the key of a lost SECRET signed
  const before = previous === null ? null : keyIdOf(previous.derive(auditPurpose));
  const { rows } = await client.query<{ count: number }>(
    `/* doctor.auditHeads */ select count(*)::int as count from (${heads.join(' union all ')}) head
     where key_id <> $1 and key_id = coalesce($2, key_id)`,
    [keyIdOf(secrets.derive(auditPurpose)), before],
  );
  return rows[0]?.count ?? 0;
}

/** The version before the last rotation while that one is not ended in the database; null afterwards, and before the first `npm run migrate`. */
async function readPreviousVersion(client: pg.Client): Promise<number | null> {
  try {
    const { rows } = await client.query<{ previous: number | null }>(
      '/* doctor.secretVersion */ select previous from platform.secret_version',
    );
    return rows[0]?.previous ?? null;
  } catch (error) {
    if (hasErrorCode(error, '42P01', '3F000')) return null;
    throw error;
  }
}

/** Reports what an earlier version of SECRET protects. */
export async function checkSecret(client: pg.Client, secrets: Secrets): Promise<Finding> {
  const { version, previous } = secrets;
  const check = 'SECRET';
  const counts = await countValues(client, version);
  if (counts === null) return skipped(check, 'the accounts area is not in this database');
  const { keys, webhooks, factors } = counts;
  const logs = await countLogs(client, secrets);
  const left = `${keys} API keys, ${webhooks} webhook secrets, ${factors} second factors and ${logs} audit logs use an earlier version`;
  const isDone = keys + webhooks + factors + logs === 0;
  if (previous !== null)
    return isDone
      ? warning(
          check,
          `version ${version}; nothing uses version ${previous.version}`,
          'Run npm run secrets -- finish, then npm run migrate, and restart.',
        )
      : warning(
          check,
          `version ${version}; ${left}`,
          'Run npm run migrate. API keys follow when they are used, audit logs within an hour (docs/security/secrets.md).',
        );
  if (!isDone)
    return failed(check, `version ${version}; ${left}`, 'Put the previous secret back, after a comma, until nothing uses it.');
  const accepted = await readPreviousVersion(client);
  return accepted === null
    ? ok(check, `version ${version}`)
    : warning(
        check,
        `version ${version}; the rotation from version ${accepted} is not ended in the database`,
        'Run npm run migrate, and restart.',
      );
}

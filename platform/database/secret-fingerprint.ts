/** The fingerprint and the version of the root secret in the database. The fingerprint detects a wrong SECRET before role passwords change and keys stop working. */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { validSecrets, type Secrets } from '../security/secrets.ts';

/** The server keeps it as the comment on this role, because role passwords belong to the server. */
const markedRole = 'talent_relay';
const prefix = 'secret fingerprint ';

/** An HMAC of a constant: it reveals nothing about the secret, and no key. */
function fingerprintOf(secrets: Secrets): string {
  const key = secrets.derive('secret-fingerprint');
  return prefix + createHmac('sha256', key).update('talent-platform').digest('base64url').slice(0, 22);
}

/**
 * Compares the secret with the fingerprints of the server and of the database. A dump contains the second one, so that it is also checked on
 * another server. A database without fingerprints accepts every secret. During a rotation the fingerprint may be that of the previous secret.
 * @throws Error with instructions for another secret
 */
export async function requireSameSecret(client: pg.Client, secrets: Secrets): Promise<void> {
  const { rows } = await client.query<{ stored: string | null }>(
    `select shobj_description(oid, 'pg_authid') as stored from pg_roles where rolname = $1
     union all select obj_description(oid, 'pg_namespace') from pg_namespace where nspname = 'platform'`,
    [markedRole],
  );
  const expected = validSecrets(secrets).map(fingerprintOf);
  if (rows.every(({ stored }) => stored?.startsWith(prefix) !== true || expected.includes(stored))) return;
  throw new Error(
    'SECRET is not the secret of this database: its API keys, cursors and role passwords depend on another one. Nothing was changed. ' +
      'Set SECRET to the previous value, or restore it from a backup (.env, or secrets.json in DATA_DIRECTORY). ' +
      'If it is lost, run `npm run migrate -- --new-secret`: every API key, webhook secret and second factor becomes invalid.',
  );
}

/**
 * Stores the fingerprints, and the version of the secret with the previous one during a rotation. Runs in the transaction that sets the passwords
 * of the roles.
 */
export async function storeSecretFacts(client: pg.Client, secrets: Secrets): Promise<void> {
  const text = pg.escapeLiteral(fingerprintOf(secrets));
  await client.query(`comment on role ${markedRole} is ${text}; comment on schema platform is ${text}`);
  await client.query(
    `insert into platform.secret_version (current, previous) values ($1, $2)
     on conflict (id) do update set current = excluded.current, previous = excluded.previous`,
    [secrets.version, secrets.previous?.version ?? null],
  );
}

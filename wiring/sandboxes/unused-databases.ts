/** Deletes the databases of sandboxes and templates that are not used any more. */
import type pg from 'pg';
import type { SandboxOptions } from './sandbox.ts';
import { asOwner, imagesOf, locked, prefixOf, quoted, urlOf } from './database.ts';

/** Days without an opening after which a database is deleted. */
export interface KeptDays {
  readonly written: number;
  /** For sandboxes without a write. */
  readonly empty: number;
}

const keptDays: KeptDays = { written: 30, empty: 1 };

interface UnusedDatabase {
  readonly name: string;
  /** Whether it is deleted with its data. */
  readonly isOld: boolean;
}

/** The databases whose names start with a prefix, that nothing is connected to and that were not opened for some days. */
async function unused(client: pg.Client, prefix: string, { written, empty }: KeptDays): Promise<UnusedDatabase[]> {
  const { rows } = await client.query<UnusedDatabase>(
    `select name, opened_at < now() - make_interval(days => $2) as "isOld"
     from (
       select d.oid, d.datname as name, case when shobj_description(d.oid, 'pg_database') ~ '^\\d{4}-\\d\\d-\\d\\dT'
         then shobj_description(d.oid, 'pg_database')::timestamptz end as opened_at
       from pg_database d where starts_with(d.datname, $1)
     ) d
     where opened_at < now() - make_interval(days => case when name ~ '_[0-9a-f]{32}$' then $3 else $2 end)
       and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
    [prefix, written, empty],
  );
  return rows;
}

/** Whether anything was written to a sandbox. Every write has a row in these tables of its area. */
const isWritten = (url: URL): Promise<boolean> =>
  asOwner(url.href, async (client) => {
    const { rows: tables } = await client.query<{ text: string }>(
      `select format('(select 1 from %I.%I limit 1)', n.nspname, c.relname) as text
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p') and c.relname in ('history', 'outbox', 'idempotency')`,
    );
    if (tables.length === 0) return true;
    const { rowCount } = await client.query(tables.map(({ text }) => text).join(' union all '));
    return rowCount !== 0;
  });

/**
 * Deletes the sandboxes and templates of a platform that were not opened for some days, with their images. Returns their names.
 * @param removeImages removes the files of images; a database stays when it throws
 */
export async function dropUnusedSandboxes(
  ownerUrl: string,
  kept: KeptDays,
  removeImages: (ids: readonly string[]) => Promise<void>,
): Promise<string[]> {
  const dropped: string[] = [];
  for (const { name } of await asOwner(ownerUrl, (client) => unused(client, prefixOf(ownerUrl), kept))) {
    const url = urlOf(ownerUrl, name);
    await locked(ownerUrl, url, async (client) => {
      const found = (await unused(client, name, kept)).find((database) => database.name === name);
      // opened meanwhile
      if (found === undefined || (!found.isOld && (await isWritten(url)))) return;
      await removeImages(await imagesOf(url));
      await client.query(`drop database if exists ${quoted(url)}`);
      dropped.push(name);
    });
  }
  return dropped;
}

/** The same as periodic work: logs what was deleted, and an error. */
export async function removeUnusedSandboxes({
  ownerUrl,
  images,
  log,
}: Pick<SandboxOptions, 'ownerUrl' | 'images' | 'log'>): Promise<void> {
  try {
    const names = await dropUnusedSandboxes(ownerUrl, keptDays, async (ids) => images?.remove(ids));
    if (names.length > 0) log.info({ names }, 'unused sandboxes deleted');
  } catch (err) {
    log.warn({ err }, 'unused sandboxes not deleted');
  }
}

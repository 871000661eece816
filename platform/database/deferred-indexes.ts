/** Drops indexes and constraints for a bulk load and recreates them afterwards: several times as fast for millions of rows. */
import type { ClientBase } from 'pg';

interface Definition {
  readonly drop: string;
  readonly create: string;
}

/** All constraints except checks, including references from other tables of the schema, and the indexes without a constraint. */
const definitions = `/* deferredIndexes.definitions */
  select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as create
  from pg_constraint c
  where c.contype in ('f', 'p', 'u', 'x') and (c.conrelid = any($1::regclass[]) or c.confrelid = any($1::regclass[]))
  -- references are dropped before, and recreated after, the keys they refer to
  order by array_position('{f,p,u,x}', c.contype::text), c.conrelid::regclass::text, c.conname`;
const ownIndexes = `/* deferredIndexes.indexes */
  select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as create
  from pg_index i
  where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype <> 'f')
  order by i.indrelid::regclass::text, i.indexrelid::regclass::text`;

/**
 * Drops them in the current transaction of the client, who must own the tables. Other sessions cannot read the tables until it ends, and an error
 * restores everything. Returns the function that recreates them, which fails with 23505 or 23503 for invalid rows.
 */
export async function deferIndexes(client: ClientBase, tables: readonly string[]): Promise<() => Promise<void>> {
  const constraints = (await client.query<Definition>(definitions, [tables])).rows;
  const indexes = (await client.query<Definition>(ownIndexes, [tables])).rows;
  for (const { drop } of [...constraints, ...indexes]) await client.query(drop);
  return async () => {
    await client.query(`set local maintenance_work_mem = '512MB'`);
    for (const { create } of [...indexes, ...constraints.toReversed()]) await client.query(create);
  };
}

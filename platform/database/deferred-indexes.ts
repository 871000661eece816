/** Fills tables without their indexes and constraints, which are made from all rows afterwards: for millions of rows, several times as fast. */
import type { ClientBase } from 'pg';

interface Definition {
  readonly drop: string;
  readonly create: string;
}

/** Constraints but checks, and the indexes that belong to none; references of other tables of the schema to these come along. */
const definitions = `/* deferredIndexes.definitions */
  select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as create
  from pg_constraint c
  where c.contype in ('f', 'p', 'u', 'x') and (c.conrelid = any($1::regclass[]) or c.confrelid = any($1::regclass[]))
  -- references go before what they refer to, and come after it
  order by array_position('{f,p,u,x}', c.contype::text), c.conrelid::regclass::text, c.conname`;
const ownIndexes = `/* deferredIndexes.indexes */
  select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as create
  from pg_index i
  where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype <> 'f')
  order by i.indrelid::regclass::text, i.indexrelid::regclass::text`;

/**
 * Drops them within the transaction of the client, who owns the tables: until it ends nobody else reads these, and a fault brings
 * all back. Returns the function that makes them again, which fails as the rows do: 23505, 23503.
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

/** Finds the tables that a read scans sequentially, by the PostgreSQL plans of its statements. */
import { createCursorCodec } from '../platform/lists/cursor.ts';
import { sql, type Database, type Queryable, type Sql } from '../platform/database/database.ts';
import type { AreaServices } from '../subgraphs/runtime/subgraph.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

const scans = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? '?'] : []),
  ...(plan.Plans ?? []).flatMap(scans),
];

/** The tables that a statement scans sequentially. */
export async function scannedBy(database: Queryable, statement: Sql): Promise<string[]> {
  const rows = await database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    sql`/* test.explain */ explain (format json) ${statement}`,
  );
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => scans(plan)));
}

/** The tables that the statements of a read scan sequentially. */
export async function scannedByRead(database: Database, read: (services: AreaServices) => Promise<unknown>): Promise<string[]> {
  const ran: Sql[] = [];
  const recording = {
    query: <Row extends object>(statement: Sql) => {
      ran.push(statement);
      return database.query<Row>(statement);
    },
  };
  // the only members that reads of a store use
  await read({ database: recording, cursors: createCursorCodec(Buffer.alloc(32)) } as unknown as AreaServices);
  return (await Promise.all(ran.map((statement) => scannedBy(database, statement)))).flat();
}

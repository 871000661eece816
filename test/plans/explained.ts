/** Explains list statements over large tables: scans and rows read by PostgreSQL. */
import { createGraphCaller } from '../../schema/entry-point.ts';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { createCursorCodec } from '../../platform/lists/cursor.ts';
import { openDatabase, type Database, type Queryable } from '../../platform/database/database.ts';
import { deferIndexes } from '../../platform/database/deferred-indexes.ts';
import { areaRole } from '../../platform/database/roles.ts';
import type { Area } from '../../schema/areas.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import type { Context } from '../../subgraphs/runtime/subgraph.ts';
import type { ClonedDatabase } from '../database.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const withBelow = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(withBelow)];

/** The scans of a table by a statement. */
export interface Reading {
  readonly scans: readonly string[];
  readonly rows: number;
}

function readingOf(plan: PlanNode, table: string): Reading {
  const nodes = withBelow(plan).filter((node) => node['Relation Name'] === table);
  return {
    scans: nodes.map((node) => node['Node Type']),
    rows: nodes.reduce((sum, node) => {
      const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
      return sum + read * node['Actual Loops'];
    }, 0),
  };
}

/** The context of an anonymous caller. Other areas return no athletes and owners. */
export const anonymous = (): Context => ({
  viewer: ANONYMOUS,
  requestId: 'test',
  notes: {},
  graph: createGraphCaller(() => Promise.resolve({ athletesById: [], organizationOwners: [] })),
  load: () => Promise.reject(new Error('unexpected load')),
});

/** Opens the database of an area. It explains list statements, or those with other names, and returns no rows for them. */
export function openExplained(cloned: ClonedDatabase, area: Area, table: string, names = /^\/\* \w+\.list \*\//) {
  const database = openDatabase({ url: cloned.urlAs(areaRole(area)), name: 'test-plans', poolSize: 1 });
  const readings: Reading[] = [];
  const query: Queryable['query'] = async (statement) => {
    if (!names.test(statement.text)) return database.query(statement);
    const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${statement.text}`,
      [...statement.values],
    );
    for (const row of rows) readings.push(readingOf(row['QUERY PLAN'][0].Plan, table));
    return [];
  };
  const explained: Database = { ...database, query };
  return {
    services: { database: explained, cursors: createCursorCodec(Buffer.alloc(32, 1)) },
    /** Explains the list statement of a call. */
    async reading(list: () => Promise<unknown>): Promise<Reading> {
      readings.length = 0;
      await list();
      const [reading] = readings;
      if (!reading) throw new Error('no list statement ran');
      return reading;
    },
    close: () => database.close(),
  };
}

async function asOwner(cloned: ClonedDatabase, area: Area, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: cloned.ownerUrl });
  await client.connect();
  try {
    await client.query(`set search_path to ${area}, public`);
    await client.query('select setseed(0.42)');
    await work(client);
  } finally {
    await client.end();
  }
}

/** Runs statements in the schema of an area as the database owner. */
export function fill(cloned: ClonedDatabase, area: Area, statements: readonly string[]): Promise<void> {
  return asOwner(cloned, area, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Like `fill`, for many rows of a few tables: builds their indexes at the end and updates the statistics. */
export function fillTables(
  cloned: ClonedDatabase,
  area: Area,
  tables: readonly string[],
  statements: readonly string[],
): Promise<void> {
  return asOwner(cloned, area, async (client) => {
    await client.query('begin');
    const makeIndexes = await deferIndexes(client, tables);
    for (const statement of statements) await client.query(statement);
    await makeIndexes();
    await client.query('commit');
    await client.query('vacuum analyze');
  });
}

/** Adds every order to each list without one. */
export function inEachOrder<Args extends { sort?: unknown }>(cases: readonly Args[], orders: readonly Args['sort'][]): Args[] {
  const ordered = cases.filter((each) => each.sort === undefined);
  return [...cases, ...orders.flatMap((sort) => ordered.map((each) => ({ ...each, sort })))];
}

/** Defines a test per list: PostgreSQL uses an index and reads few rows of the table. */
export function testFewRowsRead<Args>(cases: readonly Args[], read: (args: Args) => Promise<Reading>): void {
  test.each(cases.map((args) => [JSON.stringify(args), args] as const))('%s', async (_, args) => {
    const { scans, rows } = await read(args);
    expect(scans.length).toBeGreaterThan(0);
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(5_000);
  });
}

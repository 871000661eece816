/** A page of rows decoded from one JSON text equals the same rows decoded one by one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, raw, sql, type Database } from '../../platform/database/database.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let clone: ClonedDatabase;
let database: Database;
const statements: string[] = [];
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({ url: clone.ownerUrl, name: 'test-json-rows', onStatement: (text) => statements.push(text) });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

const values = {
  boolean: 'true',
  int: '-3::int',
  bigint: '9007199254740991::bigint',
  numeric: '63.10::numeric',
  real: '0.1::real',
  double: '1e-7::float8',
  text: `'a "quoted" \\ line\nwith €, 𝒳 and \t tabs'::text`,
  empty: `''::text`,
  uuid: `'7bf96692-58bb-4bea-a59e-0a95145bb3e0'::uuid`,
  date: `'2026-02-28'::date`,
  earlyDate: `'0044-03-15'::date`,
  json: `'{"b": [1, {"a": null}], "a": "x"}'::json`,
  jsonb: `'{"at": "2026-11-21T10:00:00+00:00", "n": 1.50}'::jsonb`,
  texts: `array['a', null, 'b,"c"']::text[]`,
  numbers: 'array[1, 2]::int[]',
  time: `'2026-11-21 10:00:00+00'::timestamptz`,
  timeWithMilliseconds: `'2026-11-21 10:00:00.5+01'::timestamptz`,
  timeWithMicroseconds: `'1999-12-31 23:59:59.123456+00'::timestamptz`,
  absent: 'null::timestamptz',
} as const;

const select = (columns: Readonly<Record<string, string>>) =>
  sql`/* test.page */ select ${raw(
    Object.entries(columns)
      .map(([name, value]) => `${value} as "${name}"`)
      .join(', '),
  )} from generate_series(1, 2) item order by item desc`;

/** The rows in both forms: a page decodes plain rows once, and JSON from its second execution on. */
async function readInBothForms(columns: Readonly<Record<string, string>>) {
  const statement = select(columns);
  const rows = await database.query(statement);
  const first = await database.query(statement, 'PAGE');
  return { rows, first, second: await database.query(statement, 'PAGE') };
}

test('every type of a page has the same value as in a row', async () => {
  const { rows, first, second } = await readInBothForms({ ...values, item: 'item' });
  expect(rows).toHaveLength(2);
  expect(rows).toMatchObject([{ item: 2 }, { item: 1 }]);
  expect(first).toEqual(rows);
  expect(second).toEqual(rows);
});

test('a type that JSON represents differently is decoded by rows', async () => {
  const { rows, second } = await readInBothForms({
    times: `array['2026-11-21 10:00:00+00']::timestamptz[]`,
    bytes: `'\\x0001'::bytea`,
  });
  expect(second).toEqual(rows);
});

test('a page without rows is empty', async () => {
  const statement = sql`/* test.none */ select 1 as one, ${'x'}::text as two where ${false}::boolean`;
  for (let execution = 0; execution < 3; execution += 1) expect(await database.query(statement, 'PAGE')).toEqual([]);
});

test('a page reads inside a transaction, with the statement by its name', async () => {
  const statement = sql`/* test.inside */ select ${1}::int as one`;
  const read = () => database.transaction((transaction) => transaction.query(statement, 'PAGE'));
  expect([await read(), await read()]).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  expect(statements.at(-1)).toMatch(/^\/\* test\.inside \*\//);
});

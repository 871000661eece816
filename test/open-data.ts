/** The open data that lies beside the project (or in the folder OPEN_DATA): what reads it is skipped where it is not. */
import { describe, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where it lies. */
export const openFolder = process.env.OPEN_DATA ?? join(import.meta.dirname, '../../shared/data');

/** A suite over open data; without them its body, which reads them, does not run. */
export function describeOpenData(name: string, body: () => void): void {
  if (existsSync(openFolder)) describe(name, body);
  else describe(name, () => test.skip(`needs the open data in ${openFolder}`, () => undefined));
}

/** A JSON file of it: `football/2018-19_en.1.json`. */
export const openData = <Shape>(path: string): Shape => JSON.parse(readFileSync(join(openFolder, path), 'utf8')) as Shape;

/** The rows of a CSV file of it, by column name: `cycling/tdf_gc.csv`. */
export const openRows = <Row extends Readonly<Record<string, string>>>(path: string): Row[] =>
  parse<Row>(readFileSync(join(openFolder, path), 'utf8'), { columns: true });

/** Reads the extracts of open data in test/data. */
import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const dataFolder = join(import.meta.dirname, 'data');

/** A JSON file, such as `football/2018-19_en.1.json`. */
export const readData = <Shape>(path: string): Shape => JSON.parse(readFileSync(join(dataFolder, path), 'utf8')) as Shape;

/** The rows of a CSV file by column name, such as those of `cycling/tdf_gc.csv`. */
export const readDataRows = <Row extends Readonly<Record<string, string>>>(path: string): Row[] =>
  parse<Row>(readFileSync(join(dataFolder, path), 'utf8'), { columns: true });

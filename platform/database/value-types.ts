/** How values of PostgreSQL are returned: timestamps as RFC 3339 text, dates as text, large and decimal numbers as numbers. */
import pg from 'pg';
import { utcTime } from './json-rows.ts';

/** A Date object would lose microseconds and cost twice as much as a text. */
export const valueTypes = new pg.TypeOverrides();
valueTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, utcTime);
valueTypes.setTypeParser(pg.types.builtins.DATE, (text) => text);
valueTypes.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));
valueTypes.setTypeParser(pg.types.builtins.NUMERIC, (text) => Number(text));

/**
 * Imported before anything else: libraries read NODE_ENV when they load, and nobody should have to set it.
 * Without it graphql-js proves with each check of a type that it was loaded once, and takes 1.6 times as long over a list.
 * What is compiled is kept beside what it was compiled from, where nobody else can write: the next start takes half as long.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

process.env['NODE_ENV'] ??= 'production';
// says so and does without where it may not write
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));

/** `npm run schema`: composes the areas and writes every generated file; `-- --check` only lists stale files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { resolverFiles, schemaFiles } from '../schema/build.ts';
import { areaQueryFiles } from './area-queries.ts';
import { dashboardFiles } from './dashboard-operations.ts';
import { openApiFiles } from './openapi.ts';
import { operationsFile } from './operations.ts';

const root = join(import.meta.dirname, '..');

type Files = ReadonlyMap<string, string>;

/** Each step reads the files written by the previous steps. */
const steps: readonly (() => Files | Promise<Files>)[] = [
  schemaFiles,
  resolverFiles,
  openApiFiles,
  operationsFile,
  dashboardFiles,
  areaQueryFiles,
];

function staleOf(files: Files): [file: string, text: string][] {
  return [...files].filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
}

async function main(flags: readonly string[]): Promise<number> {
  if (flags.includes('--help')) {
    console.log(`Usage: npm run schema [-- --check]
Writes schema/generated (supergraph, public schema, OpenAPI, costs), the resolver types of every area,
and the types of the queries of the dashboard and between areas.
  --check   write nothing; fail and name the files that are stale`);
    return 0;
  }
  const check = flags.includes('--check');
  let stale = 0;
  for (const step of steps) {
    for (const [file, text] of staleOf(await step())) {
      const name = relative(root, file);
      stale++;
      if (check) {
        console.error(`stale: ${name} (run \`npm run schema\`)`);
        continue;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`wrote ${name}`);
    }
  }
  return check && stale > 0 ? 1 : 0;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  for (const each of errors) console.error(each instanceof Error ? each.message : each);
  process.exitCode = 1;
}

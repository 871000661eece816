/** `npm run schema`: composes the areas and writes every generated file. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { resolverFiles, schemaFiles } from '../schema/build.ts';
import { runCommand } from './command.ts';

const root = join(import.meta.dirname, '..');

const help = `Usage: npm run schema [-- --check | --types]

Writes schema/generated (supergraph, public schema, OpenAPI, costs), docs/event-types.md, the scripts of the documentation pages and the types of the SDK, which are committed,
and TypeScript types, which are not:
those of the resolvers of every area, of the queries between areas, and of the dashboard's queries.
  --check  write nothing; fail and name the committed files that are stale
  --types  write the TypeScript types only, if the files they depend on have changed; npm install and npm test do this

Exit codes: 0 success, 1 failure, 2 invalid usage.`;

type Files = ReadonlyMap<string, string>;

// imported lazily: the generators are packages for development
const openApi = async (): Promise<Files> => (await import('./openapi.ts')).openApiFiles();
const representations = async (): Promise<Files> => (await import('./event-representations.ts')).eventRepresentationFiles();
const eventExamples = async (): Promise<Files> => (await import('./openapi.ts')).eventExampleFiles();
const eventTypes = async (): Promise<Files> => (await import('./event-types.ts')).eventTypesPage();
const operations = async (): Promise<Files> => (await import('./operations.ts')).operationsFile();
const documentation = async (): Promise<Files> => (await import('./documentation-scripts.ts')).documentationScripts();
const sdk = async (): Promise<Files> => (await import('./sdk.ts')).sdkFiles();
const dashboard = async (): Promise<Files> => (await import('./dashboard-operations.ts')).dashboardFiles();
const areaQueries = async (): Promise<Files> => (await import('./area-queries.ts')).areaQueryFiles();

/** Each step reads the files written by the previous steps. */
const committed: readonly (() => Files | Promise<Files>)[] = [
  schemaFiles,
  representations,
  openApi,
  eventExamples,
  eventTypes,
  operations,
  documentation,
  sdk,
];
const types: typeof committed = [resolverFiles, dashboard, areaQueries];

const typesHashFile = join(root, 'node_modules/.cache/generated-types');
const typeSources = [
  'schema/**/*',
  'subgraphs/**/*.{ts,graphql,json}',
  'dashboard/**/*.{ts,tsx}',
  'commands/*.ts',
  'package-lock.json',
];

/** A hash of everything that the types depend on, and of the types themselves. */
function hashOfTypes(): string {
  const paths = typeSources
    .flatMap((pattern) => globSync(pattern, { cwd: root, exclude: ['dashboard/dist*/**'], withFileTypes: true }))
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []));
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(path).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Writes the files that differ, or only names them. Returns how many differ. */
async function write(steps: typeof committed, { dryRun }: { readonly dryRun: boolean }): Promise<number> {
  let stale = 0;
  for (const step of steps) {
    for (const [file, text] of await step()) {
      if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
      stale += 1;
      const name = relative(root, file);
      if (dryRun) {
        console.error(`stale: ${name} (run \`npm run schema\`)`);
        continue;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      console.log(`wrote ${name}`);
    }
  }
  return stale;
}

/** Whether the packages that generate types are installed; production installations have none. */
function canGenerateTypes(): boolean {
  try {
    import.meta.resolve('@graphql-codegen/core');
    return true;
  } catch {
    return false;
  }
}

async function writeTypes(): Promise<void> {
  await write(types, { dryRun: false });
  mkdirSync(dirname(typesHashFile), { recursive: true });
  writeFileSync(typesHashFile, hashOfTypes());
}

const areTypesCurrent = (): boolean => existsSync(typesHashFile) && readFileSync(typesHashFile, 'utf8') === hashOfTypes();

async function main(args: string[]): Promise<void> {
  const options = {
    check: { type: 'boolean', default: false },
    types: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return console.log(help);
  try {
    if (values.check) {
      if ((await write(committed, { dryRun: true })) > 0) process.exitCode = 1;
    } else if (values.types) {
      if (canGenerateTypes() && !areTypesCurrent()) await writeTypes();
    } else {
      await write(committed, { dryRun: false });
      await writeTypes();
    }
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
    for (const each of errors) console.error(each instanceof Error ? each.message : each);
    process.exitCode = 1;
  }
}

if (import.meta.main) await runCommand(main);

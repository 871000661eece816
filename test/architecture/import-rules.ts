/** The allowed imports between modules. */
import type { Source, Violation } from './source.ts';

const mainModules = ['platform', 'rest-bridge', 'router', 'schema', 'subgraphs'];

/** The other modules that each module may import. */
const mayImport: Readonly<Record<string, readonly string[] | 'anything'>> = {
  schema: [],
  platform: ['schema'],
  subgraphs: ['platform', 'schema'],
  router: ['platform', 'schema'],
  'rest-bridge': ['platform', 'schema'],
  dashboard: ['schema'],
  wiring: mainModules,
  sdk: [],
  examples: ['sdk'],
  commands: 'anything',
  test: 'anything',
  bench: 'anything',
  evaluation: 'anything',
  'main.ts': 'anything',
  'jest.config.js': [],
  'jest.fast.config.js': ['jest.config.js'],
  'eslint.config.js': [],
};

/** Modules that only composition modules may import. */
const closed = ['main.ts', 'commands', 'test', 'bench', 'evaluation', 'examples', 'dashboard'];

/** The parts of schema that platform may import: errors, viewers, and the areas and events of the outbox. */
const platformMayKnow = [
  'schema/errors.ts',
  'schema/viewer.ts',
  'schema/entry-point.ts',
  'schema/areas.ts',
  'schema/events.ts',
  'schema/resource-names.ts',
  'schema/records.ts',
];

/** The two lists of areas. */
const areaLists = ['subgraphs/runtime/all-areas.ts', 'subgraphs/runtime/migrations.ts'];

/** The area of a file; null for files that areas share. */
const areaOf = (path: string): string | null => {
  const folder = path.split('/')[1] ?? '';
  return sharedFolders.includes(folder) ? null : folder;
};

/** The subgraph runtime, and the clients for queries between areas. */
const sharedFolders = ['runtime', 'clients'];

function betweenAreas(from: string, to: string): string | null {
  if (areaLists.includes(from)) return null;
  if (areaLists.includes(to)) return 'areas and their shared code must not import the list of areas';
  const area = areaOf(to);
  if (area === null || area === areaOf(from)) return null;
  return areaOf(from) === null ? 'shared code of areas must not import an area' : 'an area must not import another area';
}

/** The pure engines of areas. */
const engineFolders = ['standings', 'rankings', 'matching', 'talent'];

/** Engines and rules compute from their arguments: they import nothing that reads or writes rows. */
function betweenLayers(from: string, to: string): string | null {
  const isPure = engineFolders.includes(from.split('/')[2] ?? '') || from.endsWith('/rules.ts');
  if (!isPure || !/\/([\w-]+-)?(reads|writes|rows|batch)\.ts$/.test(to)) return null;
  return 'engines and rules must not import rows, reads or writes';
}

function rejectionReason(from: string, module: string, to: string): string | null {
  const other = to.split('/')[0] ?? to;
  if (other === '..') return 'it is outside the project';
  if (other === module) return module === 'subgraphs' ? (betweenAreas(from, to) ?? betweenLayers(from, to)) : null;
  const allowed = mayImport[module];
  if (allowed === undefined) return `${module} is not a known module`;
  if (allowed === 'anything') return null;
  if (other === 'package.json') return null;
  if (!allowed.includes(other))
    return closed.includes(other) ? `no module imports ${other}` : `${module} may not import ${other}`;
  if (module === 'platform' && !platformMayKnow.includes(to)) return 'platform must not depend on the domain';
  return null;
}

/** Every import that the table does not allow. */
export function importViolations(source: Source): Violation[] {
  return source.imports.flatMap(({ path, line }) => {
    const reason = path === null ? null : rejectionReason(source.path, source.module, path);
    return reason === null ? [] : [`${source.path}:${line} imports ${path ?? ''}: ${reason}`];
  });
}

/** A top-level folder or file that is missing in the table. */
export function moduleViolations(source: Source): Violation[] {
  return source.module in mayImport ? [] : [`${source.path} is in no folder of docs/architecture.md: add a row to the table`];
}

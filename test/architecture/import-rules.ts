/** Which room may import which: the table that keeps the rooms apart. */
import type { Source, Violation } from './source.ts';

const crossing = ['platform', 'rest-bridge', 'router', 'schema', 'subgraphs'];

/** A row per room: the other rooms that it may import. */
const mayImport: Readonly<Record<string, readonly string[] | 'anything'>> = {
  schema: [],
  platform: ['schema'],
  subgraphs: ['platform', 'schema'],
  router: ['platform', 'schema'],
  'rest-bridge': ['platform', 'schema'],
  dashboard: ['schema'],
  wiring: crossing,
  examples: [],
  commands: 'anything',
  test: 'anything',
  bench: 'anything',
  evaluation: 'anything',
  'main.ts': 'anything',
  'jest.config.js': [],
  'jest.fast.config.js': ['jest.config.js'],
  'eslint.config.js': [],
};

/** Nobody imports what crosses rooms, but the rooms that cross them too. */
const closed = ['main.ts', 'commands', 'test', 'bench', 'evaluation', 'examples', 'dashboard'];

/** What platform may know of the contract: besides errors and viewers the vocabulary of the outbox, which names areas and events. */
const platformMayKnow = [
  'schema/errors.ts',
  'schema/viewer.ts',
  'schema/entry-point.ts',
  'schema/areas.ts',
  'schema/events.ts',
  'schema/resource-names.ts',
  'schema/records.ts',
];

/** The two lists of areas: all that is said of every area at once. */
const areaLists = ['subgraphs/runtime/all-areas.ts', 'subgraphs/runtime/migrations.ts'];

/** The area whose folder a file is in; null for what areas share. */
const areaOf = (path: string): string | null => {
  const folder = path.split('/')[1] ?? '';
  return sharedFolders.includes(folder) ? null : folder;
};

/** What builds a subgraph, and the clients with which areas read one another. */
const sharedFolders = ['runtime', 'clients'];

function betweenAreas(from: string, to: string): string | null {
  if (areaLists.includes(from)) return null;
  if (areaLists.includes(to)) return 'an area, and what areas share, know nothing of the list of areas';
  const area = areaOf(to);
  if (area === null || area === areaOf(from)) return null;
  return areaOf(from) === null ? 'what areas share knows no area' : 'an area never imports another';
}

function refusal(from: string, room: string, to: string): string | null {
  const other = to.split('/')[0] ?? to;
  if (other === '..') return 'it is outside the project';
  if (other === room) return room === 'subgraphs' ? betweenAreas(from, to) : null;
  const allowed = mayImport[room];
  if (allowed === undefined) return `${room} is not a room`;
  if (allowed === 'anything') return null;
  if (other === 'package.json') return null;
  if (!allowed.includes(other)) return closed.includes(other) ? `nobody imports ${other}` : `${room} may not import ${other}`;
  if (room === 'platform' && !platformMayKnow.includes(to)) return 'platform knows no word of the domain';
  return null;
}

/** Every import that the table does not allow. */
export function importViolations(source: Source): Violation[] {
  return source.imports.flatMap(({ path, line }) => {
    const reason = path === null ? null : refusal(source.path, source.room, path);
    return reason === null ? [] : [`${source.path}:${line} imports ${path ?? ''}: ${reason}`];
  });
}

/** A folder or module at the top that the table does not know. */
export function roomViolations(source: Source): Violation[] {
  return source.room in mayImport ? [] : [`${source.path} is in no folder of docs/architecture.md: add a row to the table`];
}

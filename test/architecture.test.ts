/** The rules of docs/decisions and CONTRIBUTING that a program can see, over the files as they are. */
import { describe, expect, test } from '@jest/globals';
import { castsMax, castsOf, castViolations } from './architecture/cast-rules.ts';
import * as file from './architecture/file-rules.ts';
import { importViolations, roomViolations } from './architecture/import-rules.ts';
import {
  bareNodeViolations,
  commandViolations,
  lockfileViolations,
  packageViolations,
  scriptViolations,
  unusedPackageViolations,
} from './architecture/project-rules.ts';
import { listFiles, readSource, type Source, type Violation } from './architecture/source.ts';

const paths = listFiles();
const modules = paths.filter((path) => /\.(ts|tsx|js)$/.test(path)).map((path) => readSource(path));
const typescript = modules.filter(({ path }) => /\.tsx?$/.test(path));

const over = (sources: readonly Source[], rule: (source: Source) => Violation[]): Violation[] =>
  sources.flatMap((source) => rule(source));

describe('the rooms', () => {
  test('every file is in a room that the table knows', () => expect(over(modules, roomViolations)).toEqual([]));
  test('a room imports only what the table allows it', () => expect(over(modules, importViolations)).toEqual([]));
  test('only the start of a process reads the environment', () => expect(over(modules, file.environmentViolations)).toEqual([]));
  test('SQL lives in stores and in what runs them', () => expect(over(modules, file.sqlViolations)).toEqual([]));
  test('the rest-bridge holds no .sql file, nor does any room but platform and the areas', () => {
    const lost = paths.filter(
      (path) => path.endsWith('.sql') && !/^(platform|subgraphs\/[^/]+)\/migrations\/\d{4}-[\w-]+\.sql$/.test(path),
    );
    expect(lost).toEqual([]);
  });
});

describe('every file', () => {
  test('stays small enough to read at once', () => expect(over(typescript, file.sizeViolations)).toEqual([]));
  test('begins with what it is for', () => expect(over(typescript, file.openingViolations)).toEqual([]));
  test('holds only syntax that type stripping erases', () => expect(over(typescript, file.syntaxViolations)).toEqual([]));
  test('has a name that says something, and is no barrel', () => expect(over(modules, file.nameViolations)).toEqual([]));
});

describe('casts in production code', () => {
  test('each cast has its reason in a comment', () => expect(over(modules, castViolations)).toEqual([]));
  test('the number of casts does not grow', () => {
    expect(modules.reduce((sum, source) => sum + castsOf(source).length, 0)).toBeLessThanOrEqual(castsMax);
  });
});

describe('the project', () => {
  test('its lockfile names no registry and no machine', () => expect(lockfileViolations()).toEqual([]));
  test('every command that it shows exists', () => expect([...commandViolations(), ...scriptViolations()]).toEqual([]));
  test('every package it imports is named, and what runs in production needs none for development', () => {
    expect(over(modules, packageViolations)).toEqual([]);
  });
  test('every package it names is used', () => expect(unusedPackageViolations(modules)).toEqual([]));
  test('a process says that it is in production before any library loads', () => {
    const [first] = readSource('main.ts').imports;
    expect(first?.path).toBe('commands/production.ts');
  });
  test('its pages show no bare node', () => expect(bareNodeViolations()).toEqual([]));
});

describe('the rules themselves', () => {
  const found = (rule: (source: Source) => Violation[], path: string, text: string): Violation[] => rule(readSource(path, text));

  test.each([
    ['rest-bridge/a.ts', "\nimport { x } from '../subgraphs/athletes/athletes/rules.ts';", 2],
    ['subgraphs/athletes/a.ts', "import type { x } from '../scouting/rules.ts';", 1],
    ['subgraphs/athletes/a.ts', "export * from '../runtime/all-areas.ts';", 1],
    ['router/a.ts', "const x = await import('../wiring/platform.ts');", 1],
    ['wiring/a.ts', "import '../commands/seed.ts';", 1],
    ['platform/a.ts', "import { sports } from '../schema/sports.ts';", 1],
    ['schema/a.ts', "import '../platform/env.ts';", 1],
    ['examples/import/a.ts', "import '../../schema/areas.ts';", 1],
  ])('an import in %s is named with its line', (path, text, line) => {
    expect(found(importViolations, path, text)).toEqual([expect.stringContaining(`${path}:${line} imports `)]);
  });

  test.each([
    'process.env.A',
    "process['env']",
    'const { env } = process',
    "import { env } from 'node:process'",
    'globalThis.process.env',
  ])('a room that says %s reads the environment', (text) =>
    expect(found(file.environmentViolations, 'router/a.ts', text)).toHaveLength(1),
  );

  test.each(['sql`select 1`', "import pg from 'pg'", "database.query('select 1')", 'pool.query(`select ${a}`)'])(
    '%s is SQL',
    (text) => {
      expect(found(file.sqlViolations, 'rest-bridge/a.ts', text)).toHaveLength(1);
      expect(found(file.sqlViolations, 'subgraphs/athletes/store/athlete.ts', text)).toEqual([]);
    },
  );

  test.each(['enum A { B }', 'namespace A {}', 'class A { constructor(private readonly b: string) {} }'])(
    '%s cannot be stripped',
    (text) => expect(found(file.syntaxViolations, 'router/a.ts', text)).toHaveLength(1),
  );

  test.each(['router/utils.ts', 'router/string-helpers.ts', 'platform/common/a.ts', 'router/key-manager.ts', 'router/index.ts'])(
    '%s is no name',
    (path) => expect(found(file.nameViolations, path, 'const a = 1;')).toHaveLength(1),
  );

  test.each([
    ['const a = b as string;', 1],
    ['const a = b as const;', 0],
    ['// Cast: the reason.\nconst a = b as string;', 0],
    ['const a = b as string; // Cast: the reason.', 0],
  ])('%j has %d casts without a reason', (text, count) => expect(found(castViolations, 'router/a.ts', text)).toHaveLength(count));

  test('a package that only types what is not installed, or that nothing names, is unused', () => {
    const given = {
      scripts: { a: 'jest' },
      dependencies: { pg: '1', jest: '1' },
      devDependencies: { '@types/pg': '1', yaml: '1' },
    };
    const found = unusedPackageViolations([readSource('router/a.ts', "import pg from 'pg';")], given);
    expect(found).toEqual(['package.json names yaml, which nothing uses']);
  });

  test('a lockfile with an address, a file without a first sentence, and a file of 250 lines are found', () => {
    expect(lockfileViolations('{\n"resolved": "x"\n}', '')).toEqual(['package-lock.json:2 names where a package was fetched']);
    expect(lockfileViolations('{}', 'registry=x')).toHaveLength(1);
    expect(found(file.openingViolations, 'router/a.ts', 'const a = 1;')).toHaveLength(1);
    expect(found(file.sizeViolations, 'router/a.ts', '//\n'.repeat(250))).toHaveLength(1);
  });
});

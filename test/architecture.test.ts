/** Checks the rules of docs/decisions and CONTRIBUTING.md against the files of the project. */
import { describe, expect, test } from '@jest/globals';
import { castsMax, castsOf, castViolations } from './architecture/cast-rules.ts';
import * as file from './architecture/file-rules.ts';
import { importViolations, moduleViolations } from './architecture/import-rules.ts';
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

describe('modules', () => {
  test('every file belongs to a known module', () => expect(over(modules, moduleViolations)).toEqual([]));
  test('modules import only what the table allows', () => expect(over(modules, importViolations)).toEqual([]));
  test('only entry points read the environment', () => expect(over(modules, file.environmentViolations)).toEqual([]));
  test('only stores and their runtime contain SQL', () => expect(over(modules, file.sqlViolations)).toEqual([]));
  test('only platform and the areas contain .sql files', () => {
    const lost = paths.filter(
      (path) => path.endsWith('.sql') && !/^(platform|subgraphs\/[^/]+)\/migrations\/\d{4}-[\w-]+\.sql$/.test(path),
    );
    expect(lost).toEqual([]);
  });
});

describe('every file', () => {
  test('has fewer than 250 lines', () => expect(over(typescript, file.sizeViolations)).toEqual([]));
  test('starts with a description', () => expect(over(typescript, file.openingViolations)).toEqual([]));
  test('contains only syntax that type stripping can erase', () => expect(over(typescript, file.syntaxViolations)).toEqual([]));
  test('has a descriptive name and is not a barrel', () => expect(over(modules, file.nameViolations)).toEqual([]));
});

describe('casts in production code', () => {
  test('each cast has its reason in a comment', () => expect(over(modules, castViolations)).toEqual([]));
  test('the number of casts does not grow', () => {
    expect(modules.reduce((sum, source) => sum + castsOf(source).length, 0)).toBeLessThanOrEqual(castsMax);
  });
});

describe('the project', () => {
  test('the lockfile contains no registry and no local path', () => expect(lockfileViolations()).toEqual([]));
  test('every documented command exists', () => expect([...commandViolations(), ...scriptViolations()]).toEqual([]));
  test('every imported package is declared, and production imports no development dependency', () => {
    expect(over(modules, packageViolations)).toEqual([]);
  });
  test('every declared package is used', () => expect(unusedPackageViolations(modules)).toEqual([]));
  test('every process sets NODE_ENV=production before it loads a library', () => {
    const [first] = readSource('main.ts').imports;
    expect(first?.path).toBe('commands/production.ts');
  });
  test('no page contains a bare node command', () => expect(bareNodeViolations()).toEqual([]));
});

describe('the rules', () => {
  const found = (rule: (source: Source) => Violation[], path: string, text: string): Violation[] => rule(readSource(path, text));

  test.each([
    ['rest-bridge/a.ts', "\nimport { x } from '../subgraphs/athletes/athletes/rules.ts';", 2],
    ['subgraphs/athletes/a.ts', "import type { x } from '../scouting/rules.ts';", 1],
    ['subgraphs/athletes/a.ts', "export * from '../runtime/all-areas.ts';", 1],
    ['subgraphs/scouting/talent/a.ts', "import type { x } from '../prospects/rows.ts';", 1],
    ['subgraphs/athletes/athletes/rules.ts', "import { x } from './visible-rows.ts';", 1],
    ['router/a.ts', "const x = await import('../wiring/platform.ts');", 1],
    ['wiring/a.ts', "import '../commands/seed.ts';", 1],
    ['platform/a.ts', "import { sports } from '../schema/sports.ts';", 1],
    ['schema/a.ts', "import '../platform/env.ts';", 1],
    ['examples/import/a.ts', "import '../../schema/areas.ts';", 1],
  ])('a forbidden import in %s is reported with its line', (path, text, line) => {
    expect(found(importViolations, path, text)).toEqual([expect.stringContaining(`${path}:${line} imports `)]);
  });

  test.each([
    'process.env.A',
    "process['env']",
    'const { env } = process',
    "import { env } from 'node:process'",
    'globalThis.process.env',
  ])('a module with %s reads the environment', (text) =>
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
    '%s is not a valid file name',
    (path) => expect(found(file.nameViolations, path, 'const a = 1;')).toHaveLength(1),
  );

  test.each([
    ['const a = b as string;', 1],
    ['const a = b as const;', 0],
    ['// Cast: the reason.\nconst a = b as string;', 0],
    ['const a = b as string; // Cast: the reason.', 0],
  ])('%j has %d casts without a reason', (text, count) => expect(found(castViolations, 'router/a.ts', text)).toHaveLength(count));

  test('a type-only package of a missing package and an unreferenced package are unused', () => {
    const given = {
      scripts: { a: 'jest' },
      dependencies: { pg: '1', jest: '1' },
      devDependencies: { '@types/pg': '1', yaml: '1' },
    };
    const found = unusedPackageViolations([readSource('router/a.ts', "import pg from 'pg';")], given);
    expect(found).toEqual(['package.json declares yaml, which is unused']);
  });

  test('a lockfile with an address, a file without a description and a file of 250 lines are reported', () => {
    expect(lockfileViolations('{\n"resolved": "x"\n}', '')).toEqual(['package-lock.json:2 contains the address of a package']);
    expect(lockfileViolations('{}', 'registry=x')).toHaveLength(1);
    expect(found(file.openingViolations, 'router/a.ts', 'const a = 1;')).toHaveLength(1);
    expect(found(file.sizeViolations, 'router/a.ts', '//\n'.repeat(250))).toHaveLength(1);
  });
});

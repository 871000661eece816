/** Rules for the project: its lockfile, its packages and the documented commands. */
import { isBuiltin } from 'node:module';
import { isGenerated, listFiles, readText, type Source, type Violation } from './source.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const manifest = (): Manifest => JSON.parse(readText('package.json')) as Manifest;

/** The lockfile must work with any registry, so it contains no registry and no local path. */
export function lockfileViolations(lockfile = readText('package-lock.json'), settings = readText('.npmrc')): Violation[] {
  const patterns = [
    [/"resolved":/, 'contains the address of a package'],
    [/registry\.|:\/\/[^/"]*:\d+\//, 'contains a registry'],
    [/"(file:|\/|[A-Za-z]:\\)|\/(home|root|Users|tmp)\//, 'contains a local path'],
  ] as const;
  const found = lockfile.split('\n').flatMap((line, index) => {
    return patterns.filter(([pattern]) => pattern.test(line)).map(([, reason]) => `package-lock.json:${index + 1} ${reason}`);
  });
  return /registry\s*=/.test(settings) ? [...found, '.npmrc contains a registry'] : found;
}

const isDocumentation = (path: string): boolean =>
  !isGenerated(path) && /\.(md|tsx?)$/.test(path) && !path.startsWith('test/architecture/');

/** `npm run X` in documentation or code without a script of that name in package.json. */
export function commandViolations(files = listFiles().filter(isDocumentation)): Violation[] {
  const { scripts } = manifest();
  return files.flatMap((path) =>
    readText(path)
      .split('\n')
      .flatMap((line, index) => {
        const names = [...line.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name]) => name ?? '');
        return names
          .filter((name) => !(name in scripts))
          .map((name) => `${path}:${index + 1} refers to npm run ${name}, which package.json does not define`);
      }),
  );
}

/** A script whose file does not exist. */
export function scriptViolations(): Violation[] {
  const { scripts } = manifest();
  const files = new Set(listFiles());
  return Object.entries(scripts).flatMap(([name, line]) => {
    const [, file] = /^node (\S+\.ts)/.exec(line) ?? [];
    return file === undefined || files.has(file) ? [] : [`package.json: npm run ${name} runs ${file}, which does not exist`];
  });
}

/** A bare `node x.ts` uses the Node.js version of the machine, which may be older than the pinned one. */
export function bareNodeViolations(): Violation[] {
  return ['README.md', 'CONTRIBUTING.md']
    .filter((path) => listFiles().includes(path))
    .flatMap((path) =>
      readText(path)
        .split('\n')
        .flatMap((line, index) =>
          /^\s*\$?\s*node /.test(line) || /`node [\w/.-]+\.ts/.test(line)
            ? [`${path}:${index + 1} contains a bare node command: use npm run`]
            : [],
        ),
    );
}

/** Modules that run without development dependencies, which the image does not contain. */
const inProduction = (path: string): boolean =>
  !isGenerated(path) &&
  (path === 'main.ts' || /^(platform|subgraphs|router|rest-bridge|wiring)\//.test(path) || /^schema\/[^/]+\.ts$/.test(path));

/** A package that package.json does not declare, or that production cannot load. */
export function packageViolations(source: Source): Violation[] {
  // the generator adds the types that it imports
  if (isGenerated(source.path)) return [];
  const { dependencies, devDependencies } = manifest();
  return source.imports.flatMap(({ specifier, path, line }) => {
    if (path !== null || isBuiltin(specifier)) return [];
    const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
    if (name in dependencies || (name in devDependencies && !inProduction(source.path))) return [];
    const reason = name in devDependencies ? 'a development dependency' : 'which package.json does not declare';
    return [`${source.path}:${line} imports ${name}, ${reason}`];
  });
}

/** A peer dependency that users install together with the package. */
function peersOf(name: string): string[] {
  const { peerDependencies = {} } = JSON.parse(readText(`node_modules/${name}/package.json`)) as Partial<
    Record<'peerDependencies', Readonly<Record<string, string>>>
  >;
  return Object.keys(peerDependencies);
}

/** required by the specification for the quota store in Redis */
const awaited = new Set(['ioredis']);

/** An unused package: no module imports it, no script runs it, and no other package requires it as a peer. */
export function unusedPackageViolations(
  sources: readonly Source[],
  { scripts, dependencies, devDependencies } = manifest(),
): Violation[] {
  const named = Object.keys({ ...dependencies, ...devDependencies });
  const isUsed = (name: string): boolean =>
    sources.some(({ text }) => [`'${name}'`, `'${name}/`, `"${name}"`].some((mention) => text.includes(mention))) ||
    Object.values(scripts).some((line) => line.split(/[\s/]/).includes(name)) ||
    named.some((other) => other !== name && peersOf(other).includes(name));
  return named
    .filter((name) => {
      const typed = name.startsWith('@types/') ? name.slice('@types/'.length) : name;
      return typed !== 'node' && !awaited.has(typed) && !isUsed(typed);
    })
    .map((name) => `package.json declares ${name}, which is unused`);
}

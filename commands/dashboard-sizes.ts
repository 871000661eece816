/** What a browser loads of the dashboard before a page can be used, compressed as the door sends it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder } from './dashboard-build.ts';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** A page: the module that the HTML names, and what is loaded for what is seen first. */
export const firstLoads = {
  'sign-in': ['index.html', 'session/sign-in.tsx'],
  overview: ['index.html', 'screens/overview/overview.tsx'],
} as const;

const chunks = (): Readonly<Record<string, Chunk>> =>
  JSON.parse(readFileSync(join(builtFolder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** Bytes of script and style that the modules need, with all that they import. Throws when the build knows no such module. */
export function loadedBytes(modules: readonly string[]): { readonly script: number; readonly style: number } {
  const all = chunks();
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const take = (name: string): void => {
    const chunk = all[name];
    if (chunk === undefined) throw new Error(`The build has no ${name}: npm run dashboard`);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) take(imported);
  };
  for (const name of modules) take(name);
  const bytes = (files: ReadonlySet<string>): number =>
    [...files].reduce((sum, file) => sum + statSync(join(builtFolder, `${file}.br`)).size, 0);
  return { script: bytes(scripts), style: bytes(styles) };
}

export function printSizes(): void {
  for (const [page, modules] of Object.entries(firstLoads)) {
    const { script, style } = loadedBytes(modules);
    console.log(`${page}: ${(script / 1000).toFixed(0)} kB of script, ${(style / 1000).toFixed(0)} kB of style, compressed`);
  }
}

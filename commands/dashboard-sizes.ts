/** Measures the compressed bytes that a browser loads before a page of the dashboard is usable. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { builtFolder } from './dashboard-build.ts';

interface Chunk {
  readonly file: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

/** The modules of a page: the one in the HTML, and the one of the first screen. */
export const firstLoads = {
  'sign-in': ['index.html', 'session/sign-in.tsx'],
  overview: ['index.html', 'screens/overview/overview.tsx'],
  'portal sign-in': ['portal.html', 'portal/session/sign-in.tsx'],
  'portal overview': ['portal.html', 'portal/screens/overview/overview.tsx'],
} as const;

// Cast: Vite defines the format of the manifest.
const chunks = (): Readonly<Record<string, Chunk>> =>
  JSON.parse(readFileSync(join(builtFolder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;

/** Compressed bytes of the scripts and styles of the modules and their imports. Throws for a module that is not in the build. */
export function loadedBytes(modules: readonly string[]): { readonly script: number; readonly style: number } {
  const all = chunks();
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const addChunk = (name: string): void => {
    const chunk = all[name];
    if (chunk === undefined) throw new Error(`The build does not contain ${name}. Run npm run dashboard.`);
    if (scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const style of chunk.css ?? []) styles.add(style);
    for (const imported of chunk.imports ?? []) addChunk(imported);
  };
  for (const name of modules) addChunk(name);
  const bytes = (files: ReadonlySet<string>): number =>
    [...files].reduce((sum, file) => sum + statSync(join(builtFolder, `${file}.br`)).size, 0);
  return { script: bytes(scripts), style: bytes(styles) };
}

export function printSizes(): void {
  for (const [page, modules] of Object.entries(firstLoads)) {
    const { script, style } = loadedBytes(modules);
    console.log(`${page}: ${(script / 1000).toFixed(0)} kB of scripts, ${(style / 1000).toFixed(0)} kB of styles (compressed)`);
  }
}

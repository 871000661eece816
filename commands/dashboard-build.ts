/** How the dashboard is built, and whether it must be: by Vite, when anything it is made of has changed. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { InlineConfig } from 'vite';

const projectRoot = join(import.meta.dirname, '..');
const root = join(projectRoot, 'dashboard');
export const builtFolder = join(root, 'dist');
const stampFile = join(builtFolder, 'made-of.txt');
/** Where a build is made: it takes the place of the former one when it is whole, also below a platform that runs. */
const makingFolder = join(root, `dist-${process.pid}`);

/** 11 takes many times longer for a twentieth less. */
const brotliQuality = 9;

/** Where a platform runs that the dashboard asks while one works on it. */
const platformUrl = 'http://localhost:4000';

const buildConfig: InlineConfig = {
  configFile: false,
  root,
  base: '/admin/',
  publicDir: false,
  // its warnings are about the libraries' own directives
  logLevel: 'error',
  build: {
    outDir: makingFolder,
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // a page that may load nothing but files: no data URLs
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 8_000,
    rolldownOptions: { input: { dashboard: join(root, 'index.html'), explorer: join(root, 'explorer.html') } },
  },
  // the explorer's workers are files of their own, which only a build bundles
  optimizeDeps: { entries: ['index.html'], exclude: ['graphiql/setup-workers/vite'] },
  server: {
    port: 4040,
    proxy: Object.fromEntries(
      [
        '/admin/session',
        '/admin/sessions',
        '/admin/setup/look',
        '/admin/password',
        '/admin/graphql',
        '/admin/oidc',
        '/graphql',
      ].map((path) => [path, platformUrl]),
    ),
  },
};

/** Builds, and writes beside each file what it is compressed, and of which inputs all was made. Throws what Vite throws. */
export async function buildDashboard(): Promise<void> {
  const { build } = await import('vite');
  clearLeftovers();
  try {
    await build(buildConfig);
    compressAll();
    writeFileSync(join(makingFolder, basename(stampFile)), stamp());
    rmSync(builtFolder, { recursive: true, force: true });
    renameSync(makingFolder, builtFolder);
  } finally {
    rmSync(makingFolder, { recursive: true, force: true });
  }
}

/** Removes what builds that were killed have left. */
function clearLeftovers(): void {
  for (const path of globSync('dist-*', { cwd: root })) {
    try {
      process.kill(Number(path.slice('dist-'.length)), 0);
    } catch {
      rmSync(join(root, path), { recursive: true, force: true });
    }
  }
}

/** True when there is no build of the files as they are. */
export const isStale = (): boolean => !existsSync(stampFile) || readFileSync(stampFile, 'utf8') !== stamp();

/** Serves the files as they are while one works on them, until the process is ended. */
export async function serveDashboard(): Promise<void> {
  const { createServer } = await import('vite');
  const server = await createServer(buildConfig);
  await server.listen();
  console.log('The dashboard as it is being written: http://localhost:4040/admin/');
}

/** What a build is made of: the dashboard, the tables of the contract, and the versions of all packages. */
function stamp(): string {
  const paths = ['dashboard/**/*', 'schema/*.ts', 'package-lock.json', 'commands/dashboard-build.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: projectRoot, exclude: ['dashboard/dist*/**'] }))
    .filter((path) => statSync(join(projectRoot, path)).isFile())
    .sort();
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(projectRoot, path)))
      .update('\0');
  return hash.digest('hex');
}

/** Compressed once here, as small as it gets, instead of with every answer. */
function compressAll(): void {
  for (const path of globSync('assets/*.{js,css}', { cwd: makingFolder })) {
    const file = join(makingFolder, path);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

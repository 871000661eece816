/** Builds the dashboard with Vite, and detects whether the existing build is stale. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { InlineConfig, Plugin } from 'vite';

const projectRoot = join(import.meta.dirname, '..');
const root = join(projectRoot, 'dashboard');
export const builtFolder = join(root, 'dist');
/** Contains the hash of the inputs of the build. */
const inputHashFile = join(builtFolder, 'made-of.txt');
/** A build is written here, then replaces the previous one, even while a platform serves it. */
const temporaryFolder = join(root, `dist-${process.pid}`);

/** Quality 11 takes many times longer and saves only 5%. */
const brotliQuality = 9;

/** The platform that receives the requests of the development server. */
const platformUrl = 'http://localhost:4000';

/** Serves the page of the portal for its paths, as the platform does. */
const portalPage: Plugin = {
  name: 'portal-page',
  configureServer({ middlewares }) {
    middlewares.use((request, _response, next) => {
      const isPage = request.headers.accept?.startsWith('text/html') === true && /^\/portal(?:[/?]|$)/.test(request.url ?? '');
      if (isPage) request.url = '/portal.html';
      next();
    });
  },
};

const buildConfig: InlineConfig = {
  configFile: false,
  root,
  // relative: the platform serves the same files below /admin and /portal
  base: './',
  publicDir: false,
  // warnings concern directives inside of dependencies
  logLevel: 'error',
  build: {
    outDir: temporaryFolder,
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    // the Content Security Policy allows files only, no data URLs
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 8_000,
    rolldownOptions: { input: ['index.html', 'portal.html', 'explorer.html'].map((page) => join(root, page)) },
  },
  // the workers of the explorer are separate files, which only a build bundles
  optimizeDeps: { entries: ['index.html', 'portal.html'], exclude: ['graphiql/setup-workers/vite'] },
  server: {
    port: 4040,
    proxy: Object.fromEntries(
      [
        ...['session', 'sessions', 'setup/look', 'password', 'second-factor', 'passkeys', 'graphql', 'oidc'].flatMap((path) => [
          `/admin/${path}`,
          `/portal/${path}`,
        ]),
        '/portal/invitation',
        '/portal/registration',
        '/graphql',
      ].map((path) => [path, platformUrl]),
    ),
  },
};

/** Builds the dashboard, compresses its files, and records the hash of the inputs. Throws the errors of Vite. */
export async function buildDashboard(): Promise<void> {
  const { build } = await import('vite');
  clearLeftovers();
  try {
    await build(buildConfig);
    compressAll();
    writeFileSync(join(temporaryFolder, basename(inputHashFile)), inputHash());
    rmSync(builtFolder, { recursive: true, force: true });
    renameSync(temporaryFolder, builtFolder);
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

/** Removes the temporary folders of builds that were killed. */
function clearLeftovers(): void {
  for (const path of globSync('dist-*', { cwd: root })) {
    try {
      process.kill(Number(path.slice('dist-'.length)), 0);
    } catch {
      rmSync(join(root, path), { recursive: true, force: true });
    }
  }
}

/** Whether there is no build, or the inputs changed since the last one. */
export const isStale = (): boolean => !existsSync(inputHashFile) || readFileSync(inputHashFile, 'utf8') !== inputHash();

/** Runs the development server until the process ends. */
export async function serveDashboard(): Promise<void> {
  const { createServer } = await import('vite');
  const server = await createServer({ ...buildConfig, base: '/', plugins: [portalPage] });
  await server.listen();
  console.log('Development server: http://localhost:4040/admin/ and http://localhost:4040/portal/');
}

/** A hash of all inputs of a build: the dashboard without generated types, the schema tables and the package versions. */
function inputHash(): string {
  const paths = ['dashboard/**/*', 'schema/*.ts', 'package-lock.json', 'commands/dashboard-build.ts']
    .flatMap((pattern) => globSync(pattern, { cwd: projectRoot, exclude: ['dashboard/dist*/**', 'dashboard/**/generated/**'] }))
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

/** Compresses the scripts and styles once, so that responses need no compression. */
function compressAll(): void {
  for (const path of globSync('assets/*.{js,css}', { cwd: temporaryFolder })) {
    const file = join(temporaryFolder, path);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } }));
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

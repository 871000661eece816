/** `npm run clients`: generates the Python client, and checks its types and those of an example. */
import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from './command.ts';

const root = join(import.meta.dirname, '..');
const settings = join(root, 'sdk/python');

/** The versions that docs/clients.md names. */
const packages = [
  'openapi-python-client==0.29.1',
  'mypy==2.4.1',
  'httpx==0.28.1',
  'attrs==26.1.0',
  'python-dateutil==2.9.0.post0',
];

const help = `Usage: npm run clients [-- --url URL]

Installs openapi-python-client and mypy into a temporary folder, generates the Python client of schema/generated/openapi/v1.json,
and runs mypy --strict on it and on sdk/python/example.py. Requires Python 3.11 with venv, and a package index.
  --url  also runs the example against this platform

Exit codes: 0 success, 1 the client or its types are wrong, 2 invalid usage, 3 the packages could not be installed.`;

/** Runs a program and prints its output. Resolves to whether it succeeded; `onOutput` also receives what it printed. */
function run(program: string, args: readonly string[], folder: string, onOutput?: (text: string) => void): Promise<boolean> {
  const child = spawn(program, args, { cwd: folder, stdio: ['inherit', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      process.stderr.write(bytes);
      onOutput?.(bytes.toString());
    });
  return new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message);
      resolve(false);
    });
    child.once('close', (code) => resolve(code === 0));
  });
}

/** The generator has no bodies of images: docs/clients.md says how to upload one. */
const knownWarning = /^WARNING parsing PUT \/\w+\/\{id\}\/image /;

/** Generates the client. Resolves to false after a warning about anything but images. */
async function generateClient(program: string, args: readonly string[], folder: string): Promise<boolean> {
  let output = '';
  const succeeded = await run(program, args, folder, (text) => (output += text));
  const unknown = output.split('\n').filter((line) => line.startsWith('WARNING') && !knownWarning.test(line));
  for (const line of unknown) console.error(`not generated: ${line}`);
  return succeeded && unknown.length === 0;
}

async function check(folder: string, url: string | undefined): Promise<number> {
  const tool = (name: string): string => join(folder, 'venv/bin', name);
  const isInstalled =
    (await run('python3', ['-m', 'venv', 'venv'], folder)) &&
    (await run(tool('pip'), ['install', '--quiet', '--disable-pip-version-check', ...packages], folder));
  if (!isInstalled) return 3;
  await copyFile(join(settings, 'example.py'), join(folder, 'example.py'));
  const document = join(root, 'schema/generated/openapi/v1.json');
  const generate = [
    'generate',
    '--path',
    document,
    '--config',
    join(settings, 'generator.yaml'),
    '--meta',
    'none',
    '--output-path',
    'talent_platform',
  ];
  if (!(await generateClient(tool('openapi-python-client'), generate, folder))) return 1;
  const steps: [program: string, args: string[]][] = [
    [tool('mypy'), ['--config-file', join(settings, 'mypy.ini'), 'talent_platform', 'example.py']],
    ...(url === undefined ? [] : [[tool('python'), ['example.py', url]] satisfies [string, string[]]]),
  ];
  for (const [program, args] of steps) if (!(await run(program, args, folder))) return 1;
  return 0;
}

async function main(args: string[]): Promise<void> {
  const options = { url: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return console.log(help);
  const folder = await mkdtemp(join(tmpdir(), 'clients-'));
  try {
    process.exitCode = await check(folder, values.url);
  } finally {
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) await runCommand(main);

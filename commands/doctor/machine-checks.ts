/** Checks of the machine: Node.js, the variables and the disk. */
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readEnvironment } from '../../platform/env.ts';
import { allVariables } from '../../wiring/all-variables.ts';
import { dataVariables, type Source } from '../../wiring/environment.ts';
import { tracingSettings } from '../../wiring/observability-environment.ts';
import { failed, ok, rated, warning, type Check, type Finding } from './finding.ts';

/** That of package.json. */
const leastNode = [24, 12] as const;

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const detail = `Node.js ${process.versions.node}`;
  const isSupported = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  return isSupported ? ok('Node.js', detail) : failed('Node.js', detail, `Install Node.js ${leastNode.join('.')} or newer.`);
}

function checkEnvironment(source: Source): Finding {
  readEnvironment(source, allVariables);
  tracingSettings(source, 'doctor');
  return ok('environment', 'all variables are valid');
}

/** The nearest folder that exists. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));

const gigabyte = 1e9;

async function checkDisk(source: Source): Promise<Finding> {
  const { DATA_DIRECTORY } = readEnvironment(source, dataVariables);
  const folder = existing(DATA_DIRECTORY);
  const { bavail, blocks, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const share = Math.round((100 * bavail) / blocks);
  const detail = `${(free / gigabyte).toFixed(1)} GB (${share} %) free for ${folder}`;
  // negative: little is bad
  return rated('disk space', { value: -free, detail, fix: 'Free disk space or enlarge the disk.' }, [-5 * gigabyte, -gigabyte]);
}

async function checkTemporaryFolder(): Promise<Finding> {
  try {
    await rm(await mkdtemp(join(tmpdir(), 'doctor-')), { recursive: true });
    return ok('temporary folder', tmpdir());
  } catch {
    return warning('temporary folder', `${tmpdir()} is not writable`, 'Mount a writable folder at this path.');
  }
}

export const machineChecks = (source: Source): Check[] => [
  { name: 'Node.js', run: () => Promise.resolve([checkNode()]) },
  { name: 'environment', run: () => new Promise((resolve) => resolve([checkEnvironment(source)])) },
  { name: 'disk space', run: async () => [await checkDisk(source)] },
  { name: 'temporary folder', run: async () => [await checkTemporaryFolder()] },
];

/** The Chromium of the package `@sparticuz/chromium`, with its fonts and libraries, unpacked once into node_modules/.cache. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface BrowserBinary {
  readonly executablePath: string;
  readonly env: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '..');
const packageFolder = join(root, 'node_modules/@sparticuz/chromium');

/** Runs in a separate process, because the package unpacks into the folder TMPDIR. */
const unpack = `
  import { inflate } from '@sparticuz/chromium';
  for (const archive of ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'])
    await inflate(process.argv[1] + '/bin/' + archive);
`;

/** The only fonts of the browser, so that pages look the same on every machine. */
const fontsConfiguration = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts</dir>
  <cachedir>${folder}/fonts-cache</cachedir>
</fontconfig>
`;

/** Several workers may unpack at once: the first to rename its folder wins. */
async function unpackInto(folder: string): Promise<void> {
  const parent = join(folder, '..');
  await mkdir(parent, { recursive: true });
  const temporary = await mkdtemp(join(parent, 'unpacking-'));
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack, packageFolder], {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary },
    });
    await writeFile(join(temporary, 'fonts/fonts.conf'), fontsConfiguration(folder));
    await rename(temporary, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/**
 * The browser of the environment variable CHROMIUM, else that of the package.
 * Throws Error on platforms other than Linux on x64, for which the package has no binary.
 */
export async function findBrowserBinary(): Promise<BrowserBinary> {
  const executablePath = process.env['CHROMIUM'];
  if (executablePath !== undefined) return { executablePath, env: {} };
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chromium is installed for this platform. Set CHROMIUM to the path of a Chromium executable.');
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const folder = join(root, 'node_modules/.cache/chromium', version);
  if (!existsSync(folder)) await unpackInto(folder);
  return {
    executablePath: join(folder, 'chromium'),
    env: { FONTCONFIG_PATH: join(folder, 'fonts'), LD_LIBRARY_PATH: join(folder, 'al2023/lib') },
  };
}

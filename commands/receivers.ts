/** `npm run receivers`: runs the Python and Go receivers of docs/webhook-receivers.md with their libraries. */
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { runCommand } from './command.ts';
import { checkReceiver, type ReceiverCommand } from './receiver-check.ts';
import { correctStatuses, printedTypes } from './webhook-messages.ts';

const guide = join(import.meta.dirname, '../docs/webhook-receivers.md');

const help = `Usage: npm run receivers

Installs the libraries of docs/webhook-receivers.md into a temporary folder, runs its Python and Go receivers, and sends them valid, repeated,
altered, old and unsigned messages. Requires Python 3.11 with venv, Go 1.22, a package index and a Go module proxy.

Exit codes: 0 success, 1 a receiver is wrong, 2 invalid usage, 3 a library could not be installed.`;

/** The code block of a language in the guide. Throws Error if there is none. */
export function receiverCode(text: string, language: string): string {
  const [, code] = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(text) ?? [];
  if (code === undefined) throw new Error(`docs/webhook-receivers.md has no ${language} receiver.`);
  return code;
}

/** Runs a program to its end. Resolves to whether it succeeded. */
function run(program: string, args: readonly string[], folder: string): Promise<boolean> {
  const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

/** Installs the library of a language. Resolves to the command that runs the receiver; null if it could not be installed. */
const languages: Readonly<Record<string, (folder: string, code: string) => Promise<ReceiverCommand | null>>> = {
  async python(folder, code) {
    await writeFile(join(folder, 'receiver.py'), code);
    const isInstalled =
      (await run('python3', ['-m', 'venv', 'venv'], folder)) &&
      (await run(join(folder, 'venv/bin/pip'), ['install', '--quiet', 'standardwebhooks==1.1.0'], folder));
    return isInstalled ? { program: join(folder, 'venv/bin/python'), args: ['receiver.py'], folder } : null;
  },
  async go(folder, code) {
    await writeFile(join(folder, 'main.go'), code);
    const library = 'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1';
    const isInstalled =
      (await run('go', ['mod', 'init', 'receiver'], folder)) &&
      (await run('go', ['get', library], folder)) &&
      (await run('go', ['build', '-o', 'receiver', '.'], folder));
    return isInstalled ? { program: join(folder, 'receiver'), args: [], folder } : null;
  },
};

async function check(language: string, text: string): Promise<number> {
  const install = languages[language];
  const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
  try {
    const command = install ? await install(folder, receiverCode(text, language)) : null;
    if (command === null) {
      console.error(`${language}: the library could not be installed`);
      return 3;
    }
    const { statuses, printed } = await checkReceiver(command, printedTypes.length);
    const isCorrect = isDeepStrictEqual(statuses, correctStatuses) && isDeepStrictEqual(printed, printedTypes);
    console.log(`${language}: ${isCorrect ? 'correct' : `wrong: ${JSON.stringify({ statuses, printed })}`}`);
    return isCorrect ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function main(args: string[]): Promise<void> {
  const options = { help: { type: 'boolean', short: 'h', default: false } } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return console.log(help);
  const text = await readFile(guide, 'utf8');
  const codes: number[] = [];
  for (const language of Object.keys(languages)) codes.push(await check(language, text));
  process.exitCode = Math.max(...codes);
}

if (import.meta.main) await runCommand(main);

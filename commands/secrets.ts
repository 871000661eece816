/** `npm run secrets`: writes .env for docker-compose.yml: the root secret, the passwords of PostgreSQL's owner and Redis, and the keys that each role needs. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { hasErrorCode } from '../platform/error-code.ts';
import {
  finishRotation,
  formatKeys,
  generateSecret,
  openSecrets,
  parseSecretsFile,
  rotateSecret,
} from '../platform/security/secrets.ts';
import { keyedRoles, keysVariable, purposesOf } from '../wiring/keys.ts';
import { runCommand, UsageError } from './command.ts';

const root = join(import.meta.dirname, '..');

const help = `Usage: npm run secrets [-- [rotate | finish] [--file PATH]]

Writes .env for docker compose, from .env.example when there is none:
  SECRET             made when missing, else kept: with another one every API key is lost
  DATABASE_PASSWORD  made when missing, else kept
  REDIS_PASSWORD     made when missing, else kept
  <ROLE>_KEYS        what each role may sign, open and log in with, made from SECRET; docker compose gives it to the role as KEYS
Every other line stays. Run it again after an update or with another SECRET.

  rotate  replaces SECRET. The previous one stays valid after it, separated by a comma: API keys, cursors and links keep working.
          Afterwards run \`npm run migrate\` and restart every process.
  finish  removes the previous secret. Run \`npm run doctor\` before: it counts what still uses it. Afterwards run \`npm run migrate\`
          and restart every process.

  --file PATH  another file than .env, or the secrets.json of an embedded database, with the platform stopped

Exit codes: 0 done, 1 failed, 2 wrong usage.`;

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** A value as Node.js and docker compose read it from .env: literally within single quotes. Throws Error for one with such a quote. */
function quoted(name: string, value: string): string {
  if (/^[\w.,:=/+@-]*$/.test(value)) return value;
  if (/['\n]/.test(value))
    throw new Error(`${name} contains a single quote or a line break, which .env cannot express. Nothing was written.`);
  return `'${value}'`;
}

/** The text with these variables set: lines with another value are replaced, new ones appended. */
function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  const known = parseEnv(text);
  const changed = Object.entries(variables).filter(([name, value]) => known[name] !== value);
  return changed.reduce((written, [name, value]) => {
    const line = new RegExp(`^(export )?${name}=.*$`, 'm');
    const set = `${name}=${quoted(name, value)}`;
    return line.test(written) ? written.replace(line, () => set) : `${written.trimEnd()}\n${set}\n`;
  }, text);
}

/** Writes the file atomically, readable by its owner only. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
  await rename(temporary, path);
}

/** What becomes of the root secret. Throws Error for a step that is not possible now. */
const steps: Readonly<Record<string, (secret: string) => string>> = {
  rotate: rotateSecret,
  finish: finishRotation,
};

const nextSteps: Readonly<Record<string, string>> = {
  rotate: 'Store SECRET in a safe place. Then run `npm run migrate`, and restart every process.',
  finish: 'Run `npm run migrate`, and restart every process. What the previous secret protected is invalid now.',
};

/** Rewrites the secret of an embedded database. */
async function changeSecretsFile(path: string, step: (secret: string) => string): Promise<void> {
  const text = await textOf(path);
  if (text === null) throw new Error(`${path} does not exist.`);
  const { secret } = parseSecretsFile(text, path);
  await replace(path, `${JSON.stringify({ secret: step(secret) })}\n`);
}

/** Writes .env with the keys of all roles. `step` changes a known root secret. */
async function changeEnvironmentFile(path: string, step: ((secret: string) => string) | undefined): Promise<void> {
  const text = (await textOf(path)) ?? (await textOf(join(root, '.env.example'))) ?? '';
  const known = parseEnv(text);
  if (step !== undefined && !known['SECRET']) throw new Error(`${path} has no SECRET.`);
  const secret = known['SECRET'] || generateSecret();
  const given = {
    SECRET: step?.(secret) ?? secret,
    // part of the owner's URL, so it contains nothing that a URL escapes
    DATABASE_PASSWORD: known['DATABASE_PASSWORD'] || randomBytes(24).toString('hex'),
    REDIS_PASSWORD: known['REDIS_PASSWORD'] || randomBytes(24).toString('hex'),
  };
  const secrets = openSecrets(given.SECRET);
  const keys = Object.fromEntries(keyedRoles.map((role) => [keysVariable(role), formatKeys(secrets, purposesOf(role))]));
  await replace(path, withVariables(text, { ...given, ...keys }));
  const made = Object.entries(given).flatMap(([name, value]) => (known[name] === value ? [] : [name]));
  console.log(`${path}: ${made.length > 0 ? `${made.join(', ')} new, ` : ''}keys of ${keyedRoles.join(', ')}.`);
}

await runCommand(async (args) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' }, file: { type: 'string' } },
  });
  if (values.help) return console.log(help);
  const [name = ''] = positionals;
  const step = steps[name];
  if (positionals.length > 1 || (name !== '' && step === undefined)) throw new UsageError('The steps are `rotate` and `finish`.');
  const path = resolve(values.file ?? join(root, '.env'));
  if (path.endsWith('.json')) {
    if (step === undefined) throw new UsageError('A .json file needs a step: `rotate` or `finish`.');
    await changeSecretsFile(path, step);
  } else await changeEnvironmentFile(path, step);
  console.log(nextSteps[name] ?? 'Keep SECRET in a safe place as well: without it every API key is lost.');
});

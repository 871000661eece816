/** `npm run secrets`: writes .env for docker-compose.yml: the root secret, the passwords of PostgreSQL's owner and Redis, and the keys that each role needs. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import { hasErrorCode } from '../platform/error-code.ts';
import { generateSecret, openSecrets, formatKeys } from '../platform/security/secrets.ts';
import { keyedRoles, keysVariable, purposesOf } from '../wiring/keys.ts';
import { runCommand } from './command.ts';

const root = join(import.meta.dirname, '..');

const help = `Usage: npm run secrets [-- --file PATH]

Writes .env for docker compose, from .env.example when there is none:
  SECRET             made when missing, else kept: with another one every API key is lost
  DATABASE_PASSWORD  made when missing, else kept
  REDIS_PASSWORD     made when missing, else kept
  <ROLE>_KEYS        what each role may sign, open and log in with, made from SECRET; docker compose gives it to the role as KEYS
Every other line stays. Run it again after an update or with another SECRET.

  --file PATH  another file than .env

Exit codes: 0 done, 1 failed, 2 wrong usage.`;

async function textOf(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/** The text with these variables set: existing lines are replaced, new ones appended. */
function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables).reduce((written, [name, value]) => {
    const line = new RegExp(`^(export )?${name}=.*$`, 'm');
    return line.test(written) ? written.replace(line, `${name}=${value}`) : `${written.trimEnd()}\n${name}=${value}\n`;
  }, text);
}

/** Writes the file atomically, readable by its owner only. */
async function replace(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true });
  await rename(temporary, path);
}

await runCommand(async (args) => {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' }, file: { type: 'string' } } });
  if (values.help) return console.log(help);
  const path = resolve(values.file ?? join(root, '.env'));
  const text = (await textOf(path)) ?? (await textOf(join(root, '.env.example'))) ?? '';
  const known = parseEnv(text);
  const given = {
    SECRET: known['SECRET'] || generateSecret(),
    // part of the owner's URL, so it contains nothing that a URL escapes
    DATABASE_PASSWORD: known['DATABASE_PASSWORD'] || randomBytes(24).toString('hex'),
    REDIS_PASSWORD: known['REDIS_PASSWORD'] || randomBytes(24).toString('hex'),
  };
  const secrets = openSecrets(given.SECRET);
  const keys = Object.fromEntries(keyedRoles.map((role) => [keysVariable(role), formatKeys(secrets, purposesOf(role))]));
  await replace(path, withVariables(text, { ...given, ...keys }));
  const made = Object.keys(given).filter((name) => !known[name]);
  console.log(`${path}: ${made.length > 0 ? `${made.join(', ')} new, ` : ''}keys of ${keyedRoles.join(', ')}.`);
  console.log('Keep SECRET in a safe place as well: without it every API key is lost.');
});

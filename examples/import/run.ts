/** Runs one import: a command with the text of its file. */
import { basename } from 'node:path';
import { commands } from './commands.ts';
import type { Given } from './options.ts';
import { readSourceFile } from './source-file.ts';
import { openCheck, openSession, requireScopes, type SessionOptions } from './session.ts';

/** The text is not in the format of the source. */
export class SourceError extends Error {}

/** The command's options from the command line, by name. */
export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

function givenOf(values: Values, source: string): Given {
  const text = (name: string): string | null => {
    const value = values[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    text,
    all: (name) => {
      const value = values[name];
      return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
    },
    is: (name) => values[name] === true,
    file: async (name) => {
      const path = text(name);
      return path === null ? null : readSourceFile(path);
    },
    source: basename(source),
  };
}

/**
 * Imports the text of a source. The report lists every row as written or rejected. With `check` nothing is sent.
 * @throws {RequestFailure} when the import had to stop; the report contains the rows done until then.
 * @throws {SourceError} when the text is not in the format of the source.
 * @throws {Error} when an option is invalid; nothing has been sent then.
 */
export async function runImport(
  name: string,
  text: string,
  {
    values = {},
    source = '',
    check = false,
    ...options
  }: SessionOptions & { readonly values?: Values; readonly source?: string; readonly check?: boolean },
): Promise<void> {
  const command = commands[name];
  if (command === undefined) throw new Error(`Unknown source ${name}. Known sources: ${Object.keys(commands).join(', ')}`);
  const defaults: Values = Object.fromEntries(
    Object.entries(command.options).map(([option, facts]): [string, string | undefined] => [option, facts.default ?? undefined]),
  );
  const read = await command.prepare(givenOf({ ...defaults, ...values }, source));
  let send: ReturnType<typeof read>;
  try {
    send = read(text);
  } catch (error) {
    throw new SourceError(error instanceof Error ? error.message : String(error), { cause: error });
  }
  if (check) {
    await send(openCheck(options.report));
    return;
  }
  const { report, batchSize: _, concurrency: __, correct: ___, ...clientOptions } = options;
  await requireScopes({ ...clientOptions, onCall: report.call, onWait: report.retry }, command.scopes);
  await send(openSession(options));
}

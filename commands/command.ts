/** Shared by all commands: errors are printed as sentences on stderr, and the exit code separates usage errors from failures. */
import { isRecord } from '../schema/records.ts';

/** The options on the command line are wrong. */
export class UsageError extends Error {}

/** The value of the option `--name`. Throws UsageError when it is not a whole number from min to max. */
export function whole(name: string, text: string, min: number, max: number): number {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`--${name} must be a whole number from ${min} to ${max}.`);
  return value;
}

const exitCodes = { failed: 1, usage: 2 } as const;

function isUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

/** Every error of a problem document, one per line. */
function details(error: unknown): string[] {
  const extensions = error instanceof Error && 'extensions' in error ? error.extensions : null;
  const errors = extensions !== null && typeof extensions === 'object' && 'errors' in extensions ? extensions.errors : null;
  if (!Array.isArray(errors) || errors.length < 2) return [];
  return errors.filter(isRecord).map(({ detail }) => `  ${String(detail)}`);
}

/** Runs a command. Exit codes: 0 success, 1 rejected or failed, 2 wrong usage. */
export async function runCommand(run: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    const usage = isUsage(error);
    const message = error instanceof Error ? error.message : String(error);
    console.error([message, ...details(error), ...(usage ? ['', 'See --help.'] : [])].join('\n'));
    process.exitCode = usage ? exitCodes.usage : exitCodes.failed;
  }
}

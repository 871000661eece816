/** Reads a file that the command line names, and JSON in it. */
import { readFile } from 'node:fs/promises';

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'cannot be read: permission denied',
  ENOTDIR: 'does not exist',
};

/** The text of a file. Throws Error with the path and the reason in words. */
export async function readSourceFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Error(`The file ${path} ${reasons[code] ?? `cannot be read (${code})`}.`, { cause: error });
  }
}

/** The value of a JSON text. Throws Error with the position of the error, where the parser reports it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const [place = ''] = / at position \d+( \(line \d+ column \d+\))?/.exec(String(error)) ?? [];
    const isCut = /unexpected end/i.test(String(error));
    throw new Error(`the text is not valid JSON${isCut ? ': it is empty or ends too early' : place}.`, { cause: error });
  }
}

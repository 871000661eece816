/** Texts that PostgreSQL cannot hold, in the variables of an operation or written into its document. */
import { Problem } from '../../schema/errors.ts';

/** An escape for NUL whose backslash is not itself escaped. Half characters are a syntax error in documents. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u(?:0000|\{0+\})/;

const refused = (): Problem =>
  new Problem('parameter_invalid', 'A text holds a NUL character or half of a surrogate pair, which cannot be stored.');

/** Throws parameter_invalid (400) for a document with such a text. */
export function rejectUnstorableText(document: string): void {
  if (escapedNul.test(document)) throw refused();
}

/** Throws parameter_invalid (400) when a value holds such a text at any depth. Takes the JSON text of a GET as well. */
export function rejectUnstorableVariables(source: unknown): void {
  const variables = typeof source === 'object' && source !== null && 'variables' in source ? source.variables : undefined;
  const open: unknown[] = [typeof variables === 'string' ? parsed(variables) : variables];
  // no recursion: JSON nests deeper than our stack
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) throw refused();
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) open.push(inner);
  }
}

/** Undefined for what is no JSON: Apollo tells of it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

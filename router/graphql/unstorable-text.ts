/** Rejects text that PostgreSQL cannot store, in the variables or the document of an operation. */
import { Problem } from '../../schema/errors.ts';

/** A NUL escape whose backslash is not escaped. Unpaired surrogates are a syntax error in documents. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u(?:0000|\{0+\})/;

const unstorable = (): Problem =>
  new Problem('parameter_invalid', 'A string contains a NUL character or an unpaired surrogate, which cannot be stored.');

/** Throws parameter_invalid (400) for a document that contains such text. */
export function rejectUnstorableText(document: string): void {
  if (escapedNul.test(document)) throw unstorable();
}

/** Throws parameter_invalid (400) for variables that contain such text at any depth. Also accepts the JSON text of a GET request. */
export function rejectUnstorableVariables(source: unknown): void {
  const variables = typeof source === 'object' && source !== null && 'variables' in source ? source.variables : undefined;
  const queue: unknown[] = [typeof variables === 'string' ? parsed(variables) : variables];
  // iterative, because JSON may be nested deeper than the stack
  while (queue.length > 0) {
    const value = queue.pop();
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) throw unstorable();
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) queue.push(inner);
  }
}

/** Undefined for invalid JSON, which Apollo Server reports. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

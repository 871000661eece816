/** Generation of JavaScript. A runtime policy can forbid it (`--disallow-code-generation-from-strings`): closures are used instead. */

function canGenerate(): boolean {
  try {
    // eslint-disable-next-line @typescript-eslint/no-implied-eval -- this is the check whether it is allowed
    return Reflect.apply(new Function('return true'), undefined, []) === true;
  } catch {
    return false;
  }
}

/** Whether this process may compile generated code. */
export const mayGenerateCode = canGenerate();

/** Names as JavaScript text. Names of GraphQL and of columns contain no quotes; JSON.stringify ensures it. */
export const quoted = (name: string): string => JSON.stringify(name);

/**
 * Runs a body with these values and returns its result, usually a function, which the body must create with the type `Result`. The body must
 * contain names only through `quoted`.
 */
export function generate<Result>(values: Readonly<Record<string, unknown>>, body: string): Result {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the purpose of this module
  const compile = new Function(...Object.keys(values), `'use strict';\n${body}`);
  // Cast: the caller states what its code returns.
  return Reflect.apply(compile, undefined, Object.values(values)) as Result;
}

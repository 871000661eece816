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

/** Names as JavaScript text. GraphQL names contain no quotes; JSON.stringify ensures it. */
export const quoted = (name: string): string => JSON.stringify(name);

/** Compiles the body of a function of these values. The body must contain names of documents only through `quoted`. */
export function generate(values: Readonly<Record<string, unknown>>, body: string): unknown {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the purpose of this module
  const compile = new Function(...Object.keys(values), `'use strict';\n${body}`);
  return Reflect.apply(compile, undefined, Object.values(values));
}

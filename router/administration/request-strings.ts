/** The string members of a JSON body. */
import { rejectInvalid } from '../../schema/errors.ts';

const lengthMax = 2_000;

/** String members of a body; an optional one may be absent or null. Throws Problem validation_failed (422) with every violation. */
export function stringsOf<Required extends string, Optional extends string = never>(
  body: unknown,
  required: readonly Required[],
  optional: readonly Optional[] = [],
): Record<Required, string> & Record<Optional, string | null> {
  const given: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {};
  const names: readonly string[] = [...required, ...optional];
  const isAbsent = (name: string): boolean => given[name] === undefined || given[name] === null;
  const violationOf = (name: string) => {
    const pointer = `/${name}`;
    const value = given[name];
    if (isAbsent(name)) {
      return required.some((each) => each === name) && { pointer, code: 'required', detail: 'is required' };
    }
    if (typeof value !== 'string') return { pointer, code: 'type', detail: 'must be a string' };
    if (value.includes('\0') || !value.isWellFormed())
      return { pointer, code: 'invalid', detail: 'must not contain NUL characters or unpaired surrogates' };
    return value.length > lengthMax && { pointer, code: 'too_long', detail: `must be at most ${lengthMax} characters long` };
  };
  rejectInvalid(names.map(violationOf));
  const entries = names.map((name) => [name, isAbsent(name) ? null : given[name]]);
  // Cast: rejectInvalid has checked that each value is a string and that no required one is absent
  return Object.fromEntries(entries) as Record<Required, string> & Record<Optional, string | null>;
}

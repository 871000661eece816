/** Assigns the errors of areas, and those of denied fields, to the parts of a response. */
import type { GraphError } from '../../schema/entry-point.ts';
import type { ResponsePath } from './data.ts';
import type { ExecutionError } from './execution-error.ts';
import { placeOf, type ResponsePart } from './response-parts.ts';

const keysOf = (path: ResponsePath): string[] => path.filter((step) => typeof step === 'string');

const isPrefix = (one: ResponsePath, other: ResponsePath): boolean => one.every((step, index) => other[index] === step);

/** Whether an error concerns the part at this path: a value that the part selects, or something around the part. */
export function concerns({ places }: ResponsePart, at: ResponsePath, { path = [] }: ExecutionError): boolean {
  const items = path.indexOf('@');
  const known = items === -1 ? path : path.slice(0, items);
  if (isPrefix(known, at)) return true;
  return isPrefix(at, known) && places.has(placeOf(keysOf(known)));
}

/** Whether an error is at one of the later items that a list delivers with this part. */
export function isAtItem(path: ResponsePath, from: number, error: ExecutionError): boolean {
  const index = error.path?.[path.length];
  return typeof index !== 'number' || index >= from;
}

/** Returns the denied fields that a part selects; each one once. */
export function createDeniedErrors(denied: readonly GraphError[]): (part: ResponsePart) => readonly GraphError[] {
  const left = new Set(denied);
  return ({ places }) => {
    const selected = [...left].filter(({ path = [] }) => places.has(placeOf(keysOf(path))));
    for (const error of selected) left.delete(error);
    return selected;
  };
}

/** Assigns the errors of areas, and those of denied fields, to the parts of a response. */
import type { GraphError } from '../../schema/entry-point.ts';
import { isRecord } from '../../schema/records.ts';
import type { ResponsePath } from './data.ts';
import type { ExecutionError } from './execution-error.ts';
import { placeOf, type ResponsePart } from './response-parts.ts';

const keysOf = (path: ResponsePath): string[] => path.filter((step) => typeof step === 'string');

/** A path before the first "@", the planner's notation for all items of a list. */
function knownPath({ path = [] }: ExecutionError): ResponsePath {
  const items = path.indexOf('@');
  return items === -1 ? path : path.slice(0, items);
}

/** The errors at, above and below a path. */
export type ErrorsAround = (path: ResponsePath) => readonly ExecutionError[];

/**
 * Indexes the errors of requests by path, for paths of this length: a list can have thousands of parts, and each of its items an error.
 */
export function indexErrors(errors: readonly ExecutionError[], length: number): ErrorsAround {
  const byPath = Map.groupBy(errors, (error) => JSON.stringify(knownPath(error).slice(0, length)));
  if (byPath.size === 0) return () => [];
  return (path) => [...path.keys(), path.length].flatMap((end) => byPath.get(JSON.stringify(path.slice(0, end))) ?? []);
}

/** A delivered part: its path, and its data; of a list, the items from this index. */
export interface DeliveredAt {
  readonly path: ResponsePath;
  readonly completed: unknown;
  readonly from: number | null;
}

/** Whether the value at a path is below a null. */
function isBelowNull(value: unknown, [step, ...rest]: ResponsePath): boolean {
  if (value === null) return true;
  if (step === undefined) return false;
  if (Array.isArray(value)) return isBelowNull(value[Number(step)], rest);
  return isRecord(value) && isBelowNull(value[step], rest);
}

/**
 * Whether an error at, above or below the path of a delivered part concerns it: a value that it selects, something around it, or a value
 * of a part within that is not delivered because of a null. `isSelected` is false for an error at a field that only the plan needs.
 */
export function concerns(
  { places }: ResponsePart,
  { path: at, completed, from }: DeliveredAt,
  error: ExecutionError,
  isSelected: (place: string) => boolean,
): boolean {
  const known = knownPath(error);
  if (known.length <= at.length) return true;
  const [first = '', ...rest] = known.slice(at.length);
  const step = typeof first === 'number' && from !== null ? first - from : first;
  // at one of the items before those of the part
  if (typeof step === 'number' && step < 0) return false;
  const place = placeOf(keysOf(known));
  return places.has(place) || !isSelected(place) || isBelowNull(completed, [step, ...rest]);
}

/** Returns the denied fields that a part selects; each one once. */
export function createDeniedErrors(denied: readonly GraphError[]): (part: ResponsePart) => readonly GraphError[] {
  const left = new Set(denied);
  const delivered = new Set<ResponsePart>();
  return (part) => {
    if (delivered.has(part)) return [];
    delivered.add(part);
    const { places } = part;
    const selected = [...left].filter(({ path = [] }) => places.has(placeOf(keysOf(path))));
    for (const error of selected) left.delete(error);
    return selected;
  };
}

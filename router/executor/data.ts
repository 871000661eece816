/** The data of an execution in progress: paths in it, and the merging of fetched data. */
import { isRecord } from '../../schema/records.ts';

export type Entity = Record<string, unknown>;

/** A path in the plan: response keys, `@` for every item of a list, and the types of which an object must have one. */
export type Path = readonly (string | ReadonlySet<string>)[];

/** A path in the response: response keys and indexes. */
export type ResponsePath = readonly (string | number)[];

/**
 * Merges fetched data into existing data: objects member by member, lists of equal length item by item. New objects are not copied, so
 * the owners of one representation share them.
 */
export function merge(target: Entity, source: Entity): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined) continue;
    const existing = target[key];
    if (isRecord(existing) && isRecord(value)) {
      if (existing !== value) merge(existing, value);
    } else if (Array.isArray(existing) && Array.isArray(value) && existing.length === value.length) mergeItems(existing, value);
    else target[key] = value;
  }
}

function mergeItems(target: unknown[], source: readonly unknown[]): void {
  for (const [index, value] of source.entries()) {
    const existing = target[index];
    if (isRecord(existing) && isRecord(value)) {
      if (existing !== value) merge(existing, value);
    } else if (Array.isArray(existing) && Array.isArray(value) && existing.length === value.length) mergeItems(existing, value);
    else target[index] = value;
  }
}

/** A copy that shares no objects with the original. */
export function copyOf(entity: Entity): Entity {
  const copy: Entity = {};
  for (const key of Object.keys(entity)) copy[key] = copyOfValue(entity[key]);
  return copy;
}

function copyOfValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOfValue);
  return isRecord(value) ? copyOf(value) : value;
}

/** Whether an object can have one of these types: an object without a known type can. */
export function hasType(types: ReadonlySet<string>, object: Entity): boolean {
  const name = object['__typename'];
  return typeof name !== 'string' || types.has(name);
}

/** The objects at a path, in order; a null on the way has none. */
export function objectsAt(data: unknown, path: Path): Entity[] {
  const found: Entity[] = [];
  follow(data, path, 0, found);
  return found;
}

function follow(data: unknown, path: Path, index: number, found: Entity[]): void {
  let value = data;
  for (let at = index; at < path.length; at += 1) {
    const step = path[at];
    // one `@` for every item, also of nested lists
    if (Array.isArray(value)) {
      for (const item of value) follow(item, path, step === '@' ? at + 1 : at, found);
      return;
    }
    if (!isRecord(value) || step === '@' || step === undefined) return;
    if (typeof step === 'string') value = value[step];
    else if (!hasType(step, value)) return;
  }
  if (Array.isArray(value)) for (const item of value) follow(item, [], 0, found);
  else if (isRecord(value)) found.push(value);
}

/** The same objects with the response path of each; used for errors only. */
export function placesAt(
  data: unknown,
  path: Path,
  place: ResponsePath = [],
): { readonly object: Entity; readonly place: ResponsePath }[] {
  const [step, ...rest] = path;
  if (Array.isArray(data)) {
    const after = step === '@' ? rest : path;
    return data.flatMap((item, index) => placesAt(item, after, [...place, index]));
  }
  if (!isRecord(data) || step === '@') return [];
  if (step === undefined) return [{ object: data, place }];
  if (typeof step === 'string') return placesAt(data[step], rest, [...place, step]);
  return hasType(step, data) ? placesAt(data, rest, place) : [];
}

/** The response path of a plan path before its first list: the item that an error concerns is unknown. */
export function beforeItems(path: Path): ResponsePath {
  const items = path.indexOf('@');
  return (items === -1 ? path : path.slice(0, items)).filter((step) => typeof step === 'string');
}

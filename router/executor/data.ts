/** The data of an execution in progress: paths in it, and the merging of fetched data. */
import { isRecord } from '../../schema/records.ts';

export type Entity = Record<string, unknown>;

/** Response keys, and `@` for every item of a list: the path of the planner's Flatten node. */
export type Path = readonly (string | number)[];

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
    if (step === '@') {
      if (Array.isArray(value)) for (const item of value) follow(item, path, at + 1, found);
      return;
    }
    if (!isRecord(value)) return;
    value = value[String(step)];
  }
  if (Array.isArray(value)) for (const item of value) follow(item, [], 0, found);
  else if (isRecord(value)) found.push(value);
}

/** The same objects with the response path of each; used for errors only. */
export function placesAt(data: unknown, path: Path, place: Path = []): { readonly object: Entity; readonly place: Path }[] {
  const [step, ...rest] = path;
  if (Array.isArray(data)) {
    const after = step === '@' ? rest : path;
    return data.flatMap((item, index) => placesAt(item, after, [...place, index]));
  }
  if (!isRecord(data)) return [];
  if (step === undefined) return [{ object: data, place }];
  return placesAt(data[String(step)], rest, [...place, step]);
}

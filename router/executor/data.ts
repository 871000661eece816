/** The data of an execution in progress: paths in it, and the merging of fetched data. */
export type Entity = Record<string, unknown>;

/** Response keys, and `@` for every item of a list: the path of the planner's Flatten node. */
export type Path = readonly (string | number)[];

// the casts in this file: an object parsed from JSON is a record
const isObject = (value: unknown): value is Entity => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Merges fetched data into existing data: objects member by member, lists of equal length item by item. New objects are not copied, so
 * the owners of one representation share them.
 */
export function merge(target: Entity, source: Entity): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined) continue;
    const existing = target[key];
    if (isObject(existing) && isObject(value)) {
      if (existing !== value) merge(existing, value);
    } else if (Array.isArray(existing) && Array.isArray(value) && existing.length === value.length) mergeItems(existing, value);
    else target[key] = value;
  }
}

function mergeItems(target: unknown[], source: readonly unknown[]): void {
  for (const [index, value] of source.entries()) {
    const existing = target[index];
    if (isObject(existing) && isObject(value)) {
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
    if (typeof value !== 'object' || value === null) return;
    const step = path[at];
    if (step === '@') {
      if (Array.isArray(value)) for (const item of value) follow(item, path, at + 1, found);
      return;
    }
    value = (value as Entity)[String(step)];
  }
  if (Array.isArray(value)) for (const item of value) follow(item, [], 0, found);
  else if (typeof value === 'object' && value !== null) found.push(value as Entity);
}

/** The same objects with the response path of each; used for errors only. */
export function placesAt(data: unknown, path: Path, place: Path = []): { readonly object: Entity; readonly place: Path }[] {
  if (typeof data !== 'object' || data === null) return [];
  const [step, ...rest] = path;
  if (Array.isArray(data)) {
    const after = step === '@' ? rest : path;
    return data.flatMap((item, index) => placesAt(item, after, [...place, index]));
  }
  if (step === undefined) return [{ object: data as Entity, place }];
  return placesAt((data as Entity)[String(step)], rest, [...place, step]);
}

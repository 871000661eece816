/** The data of an execution while it is put together: places in it, and the merging of what fetches bring. */
export type Entity = Record<string, unknown>;

/** Response keys, and `@` for every item of a list: the planner's path of a Flatten. */
export type Path = readonly (string | number)[];

const isObject = (value: unknown): value is Entity => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Adds what is received to what is there: objects member by member, lists of one length item by item. Objects that were not there
 * are taken over as they are, so entities that one representation stands for share them.
 */
export function merge(target: Entity, source: Entity): void {
  for (const key of Object.keys(source)) {
    const value = source[key];
    if (value === undefined) continue;
    const there = target[key];
    if (isObject(there) && isObject(value)) {
      if (there !== value) merge(there, value);
    } else if (Array.isArray(there) && Array.isArray(value) && there.length === value.length) mergeItems(there, value);
    else target[key] = value;
  }
}

function mergeItems(target: unknown[], source: readonly unknown[]): void {
  for (const [index, value] of source.entries()) {
    const there = target[index];
    if (isObject(there) && isObject(value)) {
      if (there !== value) merge(there, value);
    } else if (Array.isArray(there) && Array.isArray(value) && there.length === value.length) mergeItems(there, value);
    else target[index] = value;
  }
}

/** The objects at a path, in their order; what is null on the way has none. */
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

/** The same objects with the response keys and indexes that lead to each: for errors, which are rare. */
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

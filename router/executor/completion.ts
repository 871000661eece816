/** Value completion: a missing non-null value nulls the nearest nullable position around it (GraphQL, section 6.4.4). */
import type { Variables } from '../operations/conditions.ts';
import type { Entity } from './data.ts';
import type { ExecutionError } from './execution-error.ts';

/** The state of one projection. */
export interface Frame {
  readonly variables: Variables;
  readonly errors: ExecutionError[];
  /** The current path; changed in place. */
  readonly path: (string | number)[];
  readonly absent: ReadonlySet<Entity>;
  /** Completed objects that are referenced from several places, by selection; null without any. */
  readonly shared: Map<Complete, Map<Entity, unknown>> | null;
}

/** A null in a non-null position: the surrounding position becomes null. */
export const broken = Symbol('broken');
/** The same without an error: the viewer may not read the entity there. */
export const hidden = Symbol('hidden');

export type Complete = (value: unknown, frame: Frame) => unknown;

export interface FieldOf {
  readonly key: string;
  readonly complete: Complete;
  /** For `__typename`, `__schema` and `__type`, which are not in the data. */
  readonly given: ((object: Entity, frame: Frame) => unknown) | null;
}

export function remember(shared: NonNullable<Frame['shared']>, complete: Complete, object: Entity, completed: unknown): void {
  const known = shared.get(complete);
  if (known === undefined) shared.set(complete, new Map([[object, completed]]));
  else known.set(object, completed);
}

export function report({ errors, path }: Frame, message: string): void {
  errors.push({ message, path: [...path] });
}

/** Completes an object. Returns `broken` when a non-null member is null, `hidden` when the cause is an entity that the viewer may not read. */
export function fill(object: Entity, fields: readonly FieldOf[], frame: Frame): unknown {
  const completed: Record<string, unknown> = {};
  const { path } = frame;
  for (const { key, complete, given } of fields) {
    path.push(key);
    const before = frame.errors.length;
    const value = given === null ? complete(member(object, key), frame) : given(object, frame);
    path.pop();
    if (value === broken) {
      // a nullable reference to an entity that its area does not return is null without an error
      const isMissing = given !== null || member(object, key) === undefined;
      if (!frame.absent.has(object) || !isMissing || frame.errors.length !== before + 1) return broken;
      return hidden;
    }
    completed[key] = value;
  }
  return completed;
}

/** The fetched value of a key. Skips prototype members: an alias may be `constructor`. */
function member(object: Entity, key: string): unknown {
  const value = object[key];
  return typeof value === 'function' ? undefined : value;
}

export const leaf: Complete = (value) => value ?? null;

export function checked(check: (value: unknown) => boolean, what: string): Complete {
  return (value, frame) => {
    if (value === null || value === undefined) return null;
    if (check(value)) return value;
    report(frame, `Invalid value found for ${what}.`);
    return broken;
  };
}

export function orNull(complete: Complete): Complete {
  return (value, frame) => {
    const completed = complete(value, frame);
    if (completed !== hidden) return completed === broken ? null : completed;
    // removes the error of the missing member: the nullable reference absorbs it
    frame.errors.pop();
    return null;
  };
}

export function list(item: Complete): Complete {
  return (value, frame) => {
    if (value === null || value === undefined) return null;
    if (!Array.isArray(value)) {
      report(frame, 'A list was expected.');
      return broken;
    }
    const { path } = frame;
    const at = path.push(0) - 1;
    let isBroken = false;
    const items = new Array<unknown>(value.length);
    for (let index = 0; index < value.length; index += 1) {
      path[at] = index;
      items[index] = item(value[index], frame);
      isBroken ||= items[index] === broken;
    }
    path.pop();
    return isBroken ? broken : items;
  };
}

/** The first items of a list; those after them belong to a later part of the response. */
export const firstItems =
  (complete: Complete, count: (variables: Variables) => number): Complete =>
  (value, frame) =>
    complete(Array.isArray(value) ? value.slice(0, count(frame.variables)) : value, frame);

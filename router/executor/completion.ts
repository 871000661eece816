/** How values become what the client is told: null where a value is missing, up to the nearest place that may be null (GraphQL, section 6.4.4). */
import type { Variables } from './conditions.ts';
import type { Entity } from './data.ts';
import type { ExecutionError } from './execution-error.ts';

/** What one projection knows. */
export interface Frame {
  readonly variables: Variables;
  readonly errors: ExecutionError[];
  /** Where we are; changed in place. */
  readonly path: (string | number)[];
  readonly absent: ReadonlySet<Entity>;
  /** Answers of objects that stand in several places, by the selection; null when there are none. */
  readonly shared: Map<Complete, Map<Entity, unknown>> | null;
}

/** A value that is null where none may be: the place around it is null. */
export const broken = Symbol('broken');
/** The same without a fault: the entity there is not for this viewer. */
export const hidden = Symbol('hidden');

export type Complete = (value: unknown, frame: Frame) => unknown;

export interface FieldOf {
  readonly key: string;
  readonly complete: Complete;
  /** Of `__typename`, `__schema` and `__type`, which are not in the data. */
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

/** The answer of an object; `broken` when a member is null that may not be, `hidden` when that is so because the entity is not to be seen. */
export function fill(object: Entity, fields: readonly FieldOf[], frame: Frame): unknown {
  const answer: Record<string, unknown> = {};
  const { path } = frame;
  for (const { key, complete, given } of fields) {
    path.push(key);
    const before = frame.errors.length;
    const value = given === null ? complete(member(object, key), frame) : given(object, frame);
    path.pop();
    if (value === broken) {
      // where the reference may be null there is no fault: what is missing is what its area does not show
      if (!frame.absent.has(object) || member(object, key) !== undefined || frame.errors.length !== before + 1) return broken;
      return hidden;
    }
    answer[key] = value;
  }
  return answer;
}

/** What was fetched under a key; what every object has from its prototype was not: an alias may be `constructor`. */
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
    // the fault that was told of the missing member is none after all
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

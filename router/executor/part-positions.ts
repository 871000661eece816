/** Finds the objects and lists of the later parts in a part that has been delivered. */
import { isRecord } from '../../schema/records.ts';
import { hasType, type Entity, type ResponsePath } from './data.ts';
import type { PartValues } from './projection.ts';
import type { ResponsePart } from './response-parts.ts';

/** A later part at one place. */
export interface PlacedPart extends PartValues {
  readonly id: string;
  readonly part: ResponsePart;
}

/** A value as it was fetched, and as it was delivered. */
export interface Delivered {
  readonly fetched: unknown;
  readonly completed: unknown;
  readonly path: ResponsePath;
}

/** The places of the parts within a delivered value. There are none below a null. */
export function placesWithin(children: readonly ResponsePart[], delivered: Delivered, nextId: () => string): PlacedPart[] {
  const found: PlacedPart[] = [];

  function add(part: ResponsePart, { fetched, completed, path }: Delivered): void {
    if (part.kind === 'DEFER') found.push({ id: nextId(), part, path, from: null, values: [fetched] });
    else if (Array.isArray(fetched) && Array.isArray(completed) && completed.length < fetched.length) {
      const from = completed.length;
      found.push({ id: nextId(), part, path, from, values: fetched.slice(from) });
    }
  }

  function follow(part: ResponsePart, delivered: Delivered, at: number): void {
    const { fetched, completed, path } = delivered;
    const step = part.position[at];
    if (step === undefined && part.kind === 'STREAM') add(part, delivered);
    else if (Array.isArray(fetched) && Array.isArray(completed)) {
      for (const [index, item] of completed.entries())
        follow(part, { fetched: fetched[index], completed: item, path: [...path, index] }, at);
    } else if (isRecord(fetched) && isRecord(completed)) followObject(part, { fetched, completed, path }, at);
  }

  function followObject(part: ResponsePart, delivered: Delivered & { fetched: Entity; completed: Entity }, at: number): void {
    const { fetched, completed, path } = delivered;
    const step = part.position[at];
    if (step === undefined) add(part, delivered);
    else if (typeof step !== 'string') {
      if (hasType(step, fetched)) follow(part, delivered, at + 1);
    } else if (Object.hasOwn(fetched, step) && Object.hasOwn(completed, step))
      follow(part, { fetched: fetched[step], completed: completed[step], path: [...path, step] }, at + 1);
  }

  for (const part of children) follow(part, delivered, 0);
  return found;
}

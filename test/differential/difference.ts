/** What two answers to one execution have that the other has not; null when they are the same. */
import type { Execution } from '../../router/executor/executor.ts';
import type { GraphError } from '../../schema/entry-point.ts';
import type { ReferenceAnswer } from './reference.ts';

export interface Difference {
  readonly what: string;
  readonly ours: unknown;
  readonly reference: unknown;
}

/** The reference's answer, its data in the client's terms. */
export type Expected = Omit<ReferenceAnswer, 'data'> & { readonly data: unknown };

type Path = readonly (string | number)[];

const at = (data: unknown, path: Path): unknown =>
  path.reduce((value: unknown, key) => (value as Record<string | number, unknown> | null | undefined)?.[key], data);

/** Both tell what has no code of ours as an internal error; the reference keeps the text for us. */
const keyOf = ({ message, path = [], extensions }: GraphError): string =>
  JSON.stringify([extensions.code === 'internal' ? 'Internal error.' : message, path, extensions]);

/** How long the part of the path is that leads to the first null; longer than the path when there is none. */
function nullAt(data: unknown, path: Path): number {
  const lengths = [...path.keys(), path.length];
  return lengths.find((length) => at(data, path.slice(0, length)) === null) ?? path.length + 1;
}

/** True for a member that is missing because its entity is absent, where the reference to the entity itself could become null. */
function isAbsence({ message, path = [] }: GraphError, absent: ReadonlySet<string>, data: unknown): boolean {
  const [, type = ''] = /^Cannot return null for non-nullable field (\w+)\./.exec(message) ?? [];
  return absent.has(type) && nullAt(data, path) === path.length - 1;
}

const placeOf = (data: unknown, path: Path): string => JSON.stringify(path.slice(0, nullAt(data, path)));

/** Members by name: their order is the specification's to say (order.ts). */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, byName(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Compares data whole and errors as sets. Errors may differ in two ways:
 * - What is missing because its entity is absent is a fault to the reference and, where the reference to it could become null, none to us.
 * - Where both say why a place is null, which of several missing members inside of it they tell is a matter of who looks where first.
 */
export function differenceOf(ours: Execution, reference: Expected): Difference | null {
  const { data } = ours;
  if (JSON.stringify(byName(data)) !== JSON.stringify(byName(reference.data)))
    return { what: 'data', ours: data, reference: reference.data };
  const all = [...reference.errors, ...reference.incomplete];
  const [own, its] = [new Set(ours.errors.map(keyOf)), new Set(all.map(keyOf))];
  const absences = reference.incomplete.filter((fault) => isAbsence(fault, reference.absent, data));
  const placesOf = (faults: readonly GraphError[]): Set<string> => new Set(faults.map(({ path = [] }) => placeOf(data, path)));
  const places = placesOf([...ours.errors, ...absences]).intersection(placesOf(all));
  const isInside = ({ path = [] }: GraphError): boolean => nullAt(data, path) < path.length && places.has(placeOf(data, path));
  const missing = all.filter((fault) => !own.has(keyOf(fault)) && !absences.includes(fault) && !isInside(fault));
  const invented = ours.errors.filter((fault) => !its.has(keyOf(fault)) && !isInside(fault));
  return missing.length + invented.length === 0 ? null : { what: 'errors', ours: [...own].sort(), reference: [...its].sort() };
}

/** Compares the responses of both executors. */
import type { Execution } from '../../router/executor/executor.ts';
import type { GraphError } from '../../schema/entry-point.ts';
import { isRecord } from '../../schema/records.ts';
import type { ReferenceAnswer } from './reference.ts';

export interface Difference {
  readonly subject: string;
  readonly ours: unknown;
  readonly reference: unknown;
}

/** The response of the reference, with the data shaped for the client. */
export type Expected = Omit<ReferenceAnswer, 'data'> & { readonly data: unknown };

type Path = readonly (string | number)[];

const at = (data: unknown, path: Path): unknown =>
  path.reduce((value: unknown, key) => (value as Record<string | number, unknown> | null | undefined)?.[key], data);

/** Both executors report errors without a code as internal errors. The reference keeps their message. */
const keyOf = ({ message, path = [], extensions }: GraphError): string =>
  JSON.stringify([extensions.code === 'internal' ? 'Internal error.' : message, path, extensions]);

/** Length of the path up to its first null; path length + 1 without a null. */
function nullAt(data: unknown, path: Path): number {
  const lengths = [...path.keys(), path.length];
  return lengths.find((length) => at(data, path.slice(0, length)) === null) ?? path.length + 1;
}

/** True for a field that is missing because its entity is missing, when the reference to the entity is nullable. */
function isAbsence({ message, path = [] }: GraphError, absent: ReadonlySet<string>, data: unknown): boolean {
  const [, type = ''] = /^Cannot return null for non-nullable field (\w+)\./.exec(message) ?? [];
  return absent.has(type) && nullAt(data, path) === path.length - 1;
}

const placeOf = (data: unknown, path: Path): string => JSON.stringify(path.slice(0, nullAt(data, path)));

/** Sorts members by name; order.ts checks their order. */
function byName(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(byName);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, byName(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * Compares the complete data, and the errors as sets. Returns null for equal responses. Three differences of errors are allowed:
 * - For a field of a missing entity whose reference is nullable, the reference reports an error and our executor does not.
 * - When the type of an object in a non-nullable position is unknown, the nearest nullable position is null; the reference reports no error.
 * - When several missing fields make an object null, the executors may report different ones.
 */
export function differenceOf(ours: Execution, reference: Expected): Difference | null {
  const { data } = ours;
  if (JSON.stringify(byName(data)) !== JSON.stringify(byName(reference.data)))
    return { subject: 'data', ours: data, reference: reference.data };
  const all = [...reference.errors, ...reference.incomplete];
  const [ourErrors, referenceErrors] = [new Set(ours.errors.map(keyOf)), new Set(all.map(keyOf))];
  const absences = reference.incomplete.filter((fault) => isAbsence(fault, reference.absent, data));
  const placesOf = (faults: readonly GraphError[]): Set<string> => new Set(faults.map(({ path = [] }) => placeOf(data, path)));
  const places = placesOf([...ours.errors, ...absences]).intersection(placesOf(all));
  const isInside = ({ path = [] }: GraphError): boolean => nullAt(data, path) < path.length && places.has(placeOf(data, path));
  const missing = all.filter((fault) => !ourErrors.has(keyOf(fault)) && !absences.includes(fault) && !isInside(fault));
  const explained = placesOf(all);
  const isUnexplained = ({ path = [] }: GraphError): boolean =>
    nullAt(data, path) < path.length - 1 && !explained.has(placeOf(data, path));
  const invented = ours.errors.filter((fault) => !referenceErrors.has(keyOf(fault)) && !isInside(fault) && !isUnexplained(fault));
  return missing.length + invented.length === 0
    ? null
    : { subject: 'errors', ours: [...ourErrors].sort(), reference: [...referenceErrors].sort() };
}

/** Whether two values are equal where both exist. */
function agree(one: unknown, other: unknown): boolean {
  if (one === null || other === null) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => agree(item, other[index]));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  return Object.keys(one).every((key) => agree(one[key], other[key]));
}

/**
 * Compares only the values that both responses contain: for plans that request a field from different areas, of which one fails. Returns
 * null without a conflict.
 */
export const conflictOf = ({ data }: Execution, reference: Expected): Difference | null =>
  agree(data, reference.data) ? null : { subject: 'values', ours: data, reference: reference.data };

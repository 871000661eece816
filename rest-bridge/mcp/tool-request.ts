/** The arguments of a tool as the REST request that they stand for, so that the same code reads both. */
import { isRecord } from '../../schema/records.ts';
import { Problem, type Violation } from '../../schema/errors.ts';
import { summaryOf, truncated, violationsMax } from '../../schema/violations.ts';
import type { Operation } from '../operations/operation.ts';
import type { RawRequest } from '../requests/request-reader.ts';
import { versionPath } from '../versions.ts';

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** The text of an argument; null for a value that no parameter has. Lists are separated by commas, as in a URL. */
function textOf(value: unknown): string | null {
  const list = Array.isArray(value) ? value : [value];
  return list.every(isPlain) ? list.map(String).join(',') : null;
}

/**
 * The request of a call. Arguments that are null are omitted, because models send them for absent values.
 * Throws Problem parameter_invalid for arguments that are no object, or contain one.
 */
export function toolRequest({ path, major, variables }: Operation, given: unknown): RawRequest {
  if (given !== undefined && !isRecord(given)) throw new Problem('parameter_invalid', 'The arguments must be an object.');
  const violations: Violation[] = [];
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === null) continue;
    const text = textOf(value);
    if (text !== null) texts.set(name, text);
    else
      violations.push({
        parameter: truncated(name),
        code: 'type',
        detail: 'must be a string, a number, a boolean, or a list of these',
      });
  }
  const inPath = variables.filter(({ place }) => place === 'path').map(({ name }) => name);
  for (const name of inPath) if (!texts.has(name)) violations.push({ parameter: name, code: 'required', detail: 'is required' });
  if (violations.length > 0)
    throw new Problem('parameter_invalid', summaryOf(violations), { errors: violations.slice(0, violationsMax) });
  const params = Object.fromEntries(inPath.map((name) => [name, texts.get(name) ?? '']));
  const query = [...texts]
    .filter(([name]) => !inPath.includes(name))
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = versionPath(major) + filled + (query.length > 0 ? `?${query.join('&')}` : '');
  return { url, params, headers: {}, body: undefined };
}

/** The same request with the id of the resource to which the requested one was merged. */
export function movedRequest(
  { url, params, ...request }: RawRequest,
  moved: { readonly from: string; readonly to: string },
): RawRequest {
  const replaced = (text: string): string => (text.toLowerCase() === moved.from.toLowerCase() ? moved.to : text);
  return {
    ...request,
    url: url.replace(new RegExp(moved.from, 'i'), moved.to),
    params: Object.fromEntries(Object.entries(params).map(([name, text]) => [name, replaced(text)])),
  };
}

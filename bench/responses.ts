/** Checks before a measurement that every row returns the same athletes, and that the platform returns the headers of the equal route. */
import { isDeepStrictEqual } from 'node:util';
import type { HttpRequest, Row } from './rows.ts';

export interface ListResponse {
  readonly row: Row;
  readonly headers: readonly string[];
  readonly athletes: readonly unknown[];
  readonly bytes: number;
  readonly etag: string | null;
}

type Listed =
  { readonly data: readonly unknown[] } | { readonly data: { readonly athletes: { readonly nodes: readonly unknown[] } } };

/** Sends one request. Throws Error with the response when it is not a list of twenty. */
export async function requestList(row: Row, url: string, request: HttpRequest): Promise<ListResponse> {
  const { path, method, headers, body = null } = request;
  const response = await fetch(url + path, { method, headers, body });
  const text = await response.text();
  const unexpected = (): Error => new Error(`${row.name} returned ${response.status}: ${text.slice(0, 2000)}`);
  if (response.status !== 200) throw unexpected();
  const value = JSON.parse(text) as Listed & { readonly errors?: unknown };
  if (value.errors !== undefined) throw unexpected();
  const athletes = 'athletes' in value.data ? value.data.athletes.nodes : value.data;
  if (athletes.length !== 20) throw unexpected();
  return { row, athletes, headers: [...response.headers.keys()].sort(), bytes: text.length, etag: response.headers.get('etag') };
}

/** Throws Error with the two rows that differ, and the position. */
export function requireEqualResponses(responses: readonly ListResponse[]): void {
  for (const [kind, group] of Map.groupBy(responses, ({ row }) => row.kind)) {
    const [first, ...others] = group;
    for (const other of others) {
      const index = other.athletes.findIndex((athlete, place) => !isDeepStrictEqual(athlete, first?.athletes[place]));
      if (index === -1) continue;
      const [left, right] = [first?.athletes[index], other.athletes[index]].map((athlete) => JSON.stringify(athlete));
      throw new Error(
        `${first?.row.name ?? ''} and ${other.row.name} differ (${kind}, number ${index}):\n${left ?? ''}\n${right ?? ''}`,
      );
    }
  }
  const headersOf = (name: string): readonly string[] | undefined => responses.find(({ row }) => row.name === name)?.headers;
  const [ours, equal] = [headersOf('rest'), headersOf('equal')];
  if (ours !== undefined && equal !== undefined && !isDeepStrictEqual(ours, equal))
    throw new Error(`The headers of rest and of the equal route differ:\n${ours.join(' ')}\n${equal.join(' ')}`);
}

/** Reads responses in parts: the JSON of each part as it arrives, and all parts merged into one response. */

type Path = readonly (string | number)[];

/** A part in the format of 2022-08-24. */
export interface ReceivedPart {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: Path;
    readonly extensions?: { readonly code?: string };
  }[];
  readonly incremental?: readonly {
    readonly data?: unknown;
    readonly items?: readonly unknown[] | null;
    readonly path: Path;
    readonly label?: string;
    readonly errors?: ReceivedPart['errors'];
  }[];
  readonly hasNext: boolean;
}

/** The parts of a `multipart/mixed` response. Throws an Error for a wrong delimiter or header. */
export async function* partsOf(response: Response): AsyncGenerator<ReceivedPart> {
  if (response.body === null) throw new Error('The response has no body.');
  let text = '';
  let isFirst = true;
  const decoder = new TextDecoder();
  for await (const bytes of response.body) {
    text += decoder.decode(bytes, { stream: true });
    for (let end = text.indexOf('\r\n---'); end !== -1; end = text.indexOf('\r\n---')) {
      const part = text.slice(0, end);
      text = text.slice(end + 5);
      if (isFirst) {
        if (part !== '') throw new Error(`Unexpected text before the first part: ${part}`);
        isFirst = false;
        continue;
      }
      const [, json] = /^\r\ncontent-type: application\/json; charset=utf-8\r\n\r\n(.+)$/s.exec(part) ?? [];
      if (json === undefined) throw new Error(`Unexpected part: ${part}`);
      yield JSON.parse(json) as ReceivedPart;
    }
  }
  if (text !== '--\r\n') throw new Error(`Unexpected end: ${text}`);
}

export async function readParts(response: Response): Promise<ReceivedPart[]> {
  const parts: ReceivedPart[] = [];
  for await (const part of partsOf(response)) parts.push(part);
  return parts;
}

function merged(existing: unknown, added: unknown): unknown {
  if (Array.isArray(existing) && Array.isArray(added)) return added.map((item, index) => merged(existing[index], item));
  if (typeof existing !== 'object' || existing === null || typeof added !== 'object' || added === null) return added;
  const result: Record<string, unknown> = { ...existing };
  for (const [key, value] of Object.entries(added)) result[key] = merged(result[key], value);
  return result;
}

function mergedAt(data: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(data);
  if (Array.isArray(data)) return data.map((item: unknown, index) => (index === step ? mergedAt(item, rest, change) : item));
  const object = data as Record<string, unknown>;
  return { ...object, [step]: mergedAt(object[step], rest, change) };
}

/** The data of all parts as one; parts without data are left out. */
export function mergeParts(parts: readonly ReceivedPart[]): unknown {
  let data = parts[0]?.data;
  for (const { data: added, items, path } of parts.flatMap(({ incremental = [] }) => incremental)) {
    if (items !== undefined && items !== null) {
      const from = Number(path.at(-1));
      data = mergedAt(data, path.slice(0, -1), (list) => {
        const existing = list as unknown[];
        return [...existing.slice(0, from), ...items.map((item, index) => merged(existing[from + index], item))];
      });
    } else if (added !== undefined && added !== null) data = mergedAt(data, path, (value) => merged(value, added));
  }
  return data;
}

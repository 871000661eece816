/** Rows of the request log and its rollups: only words of routes, IDs and declared names, so that no row has personal data. */
import { randomFillSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { networkAround } from '../../../platform/http/networks.ts';
import { hasSecret, withoutSecrets } from '../../../platform/security/issued-secrets.ts';
import type { OperationRow } from './operation-counts.ts';
import { apiOf, type Api } from './request-api.ts';
import { keyOf, type KeyedRequest } from './request-log.ts';

/** Paths of REST operations by `operationId`: `/api/v1/athletes/{id}`. */
export type Routes = ReadonlyMap<string, string>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const month = /^\d{4}-\d{2}$/;
const segmentsMax = 12;
const pointersMax = 20;
/** Names of members and parameters, and indexes of lists. A name is shorter than the tokens of sessions and links, which have no other form. */
const pointer = /^\/?(?:[A-Za-z_]\w{0,39}|\d{1,5}|-)(?:[/.](?:[A-Za-z_]\w{0,39}|\d{1,5}|-))*$/;
const pointerLength = 200;
const codePattern = /^\w{1,60}$/;
/** E-mail addresses, also percent-encoded or cut off. */
const mail = /[^\s()<>,;:"]+(?:@|%40)[^\s()<>,;"]*/g;
const hidden = '*';

/** Random bytes for many IDs: each call of the generator costs a microsecond. */
const pool = Buffer.alloc(16 * 256);
let used = pool.length;

/** A version 7 UUID (RFC 9562) of a time in milliseconds since 1970: rows of one time have an order. */
function idAt(ms: number): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, (used += 16));
  bytes.writeUIntBE(ms, 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The code of an error, which is never a text of a client. */
const codeOf = (code: string): string => (codePattern.test(code) ? code : 'unknown');

const pointersOf = (pointers: readonly string[]): string[] =>
  pointers
    .slice(0, pointersMax)
    .map((each) => (each.length <= pointerLength && pointer.test(each) && !hasSecret(each) ? each : hidden));

/** A function whose last results are kept: most rows of a flush have few different values. */
function cached<Value extends object | string>(compute: (text: string) => Value | null): (text: string) => Value | null {
  const cache = new LRUCache<string, { readonly value: Value | null }>({ max: 1_000 });
  return (text) => {
    const known = cache.get(text);
    if (known !== undefined) return known.value;
    const value = compute(text);
    cache.set(text, { value });
    return value;
  };
}

const userAgentMax = 200;

export function createRequestRows(routes: Routes) {
  const networkOf = cached(networkAround);
  const userAgentOf = cached((text) => withoutSecrets(text).replaceAll(mail, hidden).slice(0, userAgentMax));
  const words = new Set(['graphql', 'stream', 'ws', 'mcp', ...[...routes.values()].flatMap((route) => route.split('/'))]);

  const isShown = (segment: string): boolean =>
    words.has(segment.replace(/\.ics$/, '')) || uuid.test(segment) || month.test(segment);

  /** The path, in which every segment that is neither a word of a route nor an ID is hidden. */
  function pathOf(path: string): string {
    const segments = path.split('/', segmentsMax);
    return segments.map((segment) => (isShown(segment) ? segment : hidden)).join('/');
  }

  /** `GET /api/v1/athletes/{id}`, the name of a GraphQL operation, or the name of a tool; null when unknown. */
  function operationOf(api: Api, method: string, operation: string | null): string | null {
    if (api !== 'REST' || operation === null) return operation;
    const route = routes.get(operation);
    return route === undefined ? null : `${method} ${route}`;
  }

  return {
    /** A row of accounts.log_requests. */
    logged(request: KeyedRequest) {
      const { line, clockMs, operation, document, area, status, error, durationMs, units, requestId, address } = request;
      const key = keyOf(request);
      const at = Math.floor(clockMs);
      const api = apiOf(line.path);
      return {
        id: idAt(at),
        at,
        account: key.accountId,
        key: key.keyId,
        api,
        method: line.method,
        path: pathOf(line.path),
        operation: operationOf(api, line.method, operation),
        document: document ?? null,
        area,
        status,
        // the same code as in the counts of errors (operation-counts.ts)
        error: error || status >= 400 ? codeOf(error?.code ?? `http_${status}`) : null,
        pointers: error ? pointersOf(error.pointers) : [],
        durationMs,
        units,
        requestId,
        network: networkOf(address),
        userAgent: line.userAgent === null ? null : userAgentOf(line.userAgent),
      };
    },
    /** A row of accounts.count_account_requests. */
    counted({ key, method, operation, api, codes, ...row }: OperationRow) {
      return {
        ...row,
        account: key.accountId,
        key: key.keyId,
        api,
        operation: operationOf(api, method, operation),
        codes: Object.fromEntries(Object.entries(codes).map(([code, count]) => [codeOf(code), count])),
      };
    },
  };
}

export type RequestRows = ReturnType<typeof createRequestRows>;

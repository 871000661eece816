/** The client: typed requests that throw errors, retries, idempotency keys, lists and synchronization. */
import createFetchClient, { type FetchResponse, type MaybeOptionalInit, type Middleware } from 'openapi-fetch';
import type { HttpMethod, MediaType, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import { changesOf, type Change, type ChangesOptions, type ChangesPath } from './changes.ts';
import { errorOf } from './errors.ts';
import type { paths } from './generated/api.ts';
import { idempotentOperations } from './generated/idempotent-operations.ts';
import { itemsOf, pagesOf, type Item, type ListOptions, type ListPath, type Page, type ReadPage } from './lists.ts';
import { withRetries, type RetryOptions } from './retry.ts';

export interface ClientOptions extends RetryOptions {
  /** Scheme and host, such as https://api.example.com. */
  readonly baseUrl: string;
  /** Without a key, public data can be read. */
  readonly apiKey?: string | undefined;
  /** Default: the global fetch. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
}

type Arguments<Init> = RequiredKeysOf<Init> extends never ? [init?: Init] : [init: Init];

/** A request of one method. It throws HttpError for a response that is no success: ProblemError if it is a problem of the API. */
type Method<Name extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Name>,
  Init extends MaybeOptionalInit<paths[Path], Name>,
>(
  path: Path,
  ...init: Arguments<Init>
) => Promise<{
  readonly data: NonNullable<FetchResponse<NonNullable<paths[Path][Name]>, Init, MediaType>['data']>;
  readonly response: Response;
}>;

export interface TalentClient {
  readonly GET: Method<'get'>;
  readonly POST: Method<'post'>;
  readonly PUT: Method<'put'>;
  readonly PATCH: Method<'patch'>;
  readonly DELETE: Method<'delete'>;
  /** The pages of a list. */
  pages<Path extends ListPath>(path: Path, ...options: Arguments<ListOptions<Path>>): AsyncGenerator<Page<Path>, void>;
  /** The items of all pages of a list. */
  items<Path extends ListPath>(path: Path, ...options: Arguments<ListOptions<Path>>): AsyncGenerator<Item<Path>, void>;
  /** The changes of a list since a position. */
  changes<Path extends ChangesPath>(path: Path, ...options: Arguments<ChangesOptions<Path>>): AsyncGenerator<Change<Path>, void>;
}

/** Adds an idempotency key to every operation that takes one, so that a retry does not repeat its effect; throws unsuccessful responses. */
const middleware: Middleware = {
  onRequest({ request, schemaPath }) {
    const takesKey = idempotentOperations.has(`${request.method} ${schemaPath}`);
    if (takesKey && !request.headers.has('idempotency-key')) request.headers.set('idempotency-key', crypto.randomUUID());
  },
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
  },
};

/** Creates a client of the REST API, version 1. */
export function createTalentClient({ baseUrl, apiKey, fetch: send, ...retries }: ClientOptions): TalentClient {
  const client = createFetchClient<paths>({
    baseUrl: `${baseUrl.replace(/\/$/, '')}/api/v1`,
    fetch: withRetries(send ?? ((request) => globalThis.fetch(request)), retries),
    headers: apiKey === undefined ? {} : { 'x-api-key': apiKey },
    // a file is the body itself; its type is that of the file
    bodySerializer: (body: unknown) => (body instanceof Blob ? body : JSON.stringify(body)),
    querySerializer: { array: { style: 'form', explode: false } },
  });
  client.use(middleware);
  // Cast: the middleware throws unsuccessful responses, so that `data` is never undefined.
  const methods = client as unknown as Pick<TalentClient, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>;
  // Cast: lists.ts and changes.ts check the path and its options.
  const get = client.GET as unknown as (path: string, init: object) => Promise<{ data: Awaited<ReturnType<ReadPage>> }>;
  const readPage: ReadPage = async (path, { path: pathParameters, query, signal }) => {
    const { data } = await get(path, { params: { path: pathParameters, query }, ...(signal === undefined ? {} : { signal }) });
    return data;
  };
  const { GET, POST, PUT, PATCH, DELETE } = methods;
  return {
    ...{ GET, POST, PUT, PATCH, DELETE },
    // Casts: a path without parameters needs no options.
    pages: <Path extends ListPath>(path: Path, ...[options]: Arguments<ListOptions<Path>>) =>
      pagesOf(readPage, path, options ?? ({} as ListOptions<Path>)),
    items: <Path extends ListPath>(path: Path, ...[options]: Arguments<ListOptions<Path>>) =>
      itemsOf(readPage, path, options ?? ({} as ListOptions<Path>)),
    changes: <Path extends ChangesPath>(path: Path, ...[options]: Arguments<ChangesOptions<Path>>) =>
      changesOf(readPage, path, options ?? ({} as ChangesOptions<Path>)),
  };
}

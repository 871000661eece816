/** The pages about the API, which are not counted: index, OpenAPI document, reference, guides and API catalog (RFC 9727). */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import { hash } from 'node:crypto';
import { stringify } from 'yaml';
import { matchesTag } from '../../platform/http/entity-tag.ts';
import { storeBody, type StoredBody } from '../../platform/http/stored-body.ts';
import { exposed } from '../responses/cors.ts';
import { changelogFeed } from './changelog-feed.ts';
import { frontPage } from './front-page.ts';
import { guide, guides, guidesPath } from './guides.ts';
import { tagOf } from './openapi-operation.ts';
import { documentOfTag } from './openapi-parts.ts';
import { openApiDocument } from './openapi.ts';
import type { Operation } from '../operations/operation.ts';
import { referencePage } from './reference-page.ts';
import { versionPath } from '../versions.ts';
import type { Major } from '../versions.ts';

export interface Page {
  readonly path: string;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** A static text, created on the first request. */
function page(path: string, type: string, create: () => string, extra: Readonly<Record<string, string>> = {}): Page {
  let created: { body: StoredBody; etag: string } | null = null;
  return {
    path,
    handler: async (request, reply) => {
      if (!created) {
        const text = create();
        created = { body: storeBody(text, 9), etag: `"${hash('sha1', text, 'base64url').slice(0, 20)}"` };
      }
      const { body, etag } = created;
      const caching = { etag, 'cache-control': 'public, max-age=300', vary: 'accept-encoding' };
      reply.headers({ ...exposed, ...extra, ...caching, 'content-type': type });
      const ifNoneMatch = request.headers['if-none-match'];
      const isSame = ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag);
      return isSame ? reply.code(304).send() : body.send(request, reply);
    },
  };
}

/** No scripts and no external resources; the style sheet is inline. */
const strict = {
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const openApiType = 'application/vnd.oai.openapi';

const tagsOf = (operations: readonly Operation[], major: number): string[] =>
  [...new Set(operations.filter((operation) => operation.major === major).map(tagOf))].sort();

export function documentationPages(
  options: {
    readonly apiSchema: GraphQLSchema;
    readonly operations: readonly Operation[];
    readonly publicUrl?: string | null | undefined;
  },
  table: readonly Major[],
): Page[] {
  const { apiSchema, operations, publicUrl } = options;
  const [latest] = [...table].sort((a, b) => b.major - a.major);
  if (!latest) return [];
  const document = (major: number): ReturnType<typeof openApiDocument> =>
    openApiDocument({ apiSchema, operations, major, publicUrl });
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  return [
    ...table.flatMap(({ major }) => [
      page(versionPath(major), 'application/json; charset=utf-8', () => json(index(operations, major))),
      page(`${versionPath(major)}/openapi.json`, `${openApiType}+json;version=3.1; charset=utf-8`, () => json(document(major))),
      page(`${versionPath(major)}/openapi.yaml`, `${openApiType}+yaml;version=3.1; charset=utf-8`, () =>
        stringify(document(major), { aliasDuplicateObjects: false }),
      ),
      ...tagsOf(operations, major).map((tag) =>
        page(`${versionPath(major)}/openapi/${tag}.json`, `${openApiType}+json;version=3.1; charset=utf-8`, () =>
          json(documentOfTag(document(major), tag)),
        ),
      ),
    ]),
    page('/', 'text/html; charset=utf-8', () => frontPage(publicUrl?.replace(/\/$/, '') ?? ''), strict),
    page(
      '/docs',
      'text/html; charset=utf-8',
      () => referencePage(openApiDocument({ apiSchema, operations, major: latest.major })),
      strict,
    ),
    // the `type` of every problem leads here
    page('/docs/problems', 'text/html; charset=utf-8', () => guide('errors.md'), strict),
    page('/docs/changelog', 'text/html; charset=utf-8', () => guide('api-changelog.md'), strict),
    page('/docs/changelog.atom', 'application/atom+xml; charset=utf-8', () => changelogFeed(publicUrl ?? '')),
    ...guides().map(({ path, make }) => page(path, 'text/html; charset=utf-8', make, strict)),
    page('/.well-known/api-catalog', 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"', () =>
      json(catalog(table)),
    ),
  ];
}

function index(operations: readonly Operation[], major: number): unknown {
  const base = versionPath(major);
  const lists = operations.filter(
    (operation) => operation.major === major && operation.method === 'GET' && !operation.path.includes('{'),
  );
  return {
    version: `v${major}`,
    resources: lists.map(({ name, path, description }) => ({ name, href: base + path, description })),
    openapiByArea: Object.fromEntries(tagsOf(operations, major).map((tag) => [tag, `${base}/openapi/${tag}.json`])),
    links: {
      self: base,
      openapi: `${base}/openapi.json`,
      openapiYaml: `${base}/openapi.yaml`,
      documentation: '/docs',
      changelog: '/docs/changelog',
      guides: guidesPath,
      graphql: '/graphql',
      catalog: '/.well-known/api-catalog',
    },
  };
}

function catalog(table: readonly Major[]): unknown {
  const apis = table.map(({ major }) => ({
    anchor: versionPath(major),
    'service-desc': [{ href: `${versionPath(major)}/openapi.json`, type: 'application/vnd.oai.openapi+json' }],
    'service-doc': [{ href: '/docs', type: 'text/html' }],
    status: [{ href: '/ready', type: 'application/json' }],
  }));
  return { linkset: [{ anchor: '/.well-known/api-catalog', item: apis.map(({ anchor }) => ({ href: anchor })) }, ...apis] };
}

/** The pages about the API, which are not counted: index, OpenAPI and AsyncAPI documents, Postman collection, reference, guides, llms.txt and API catalog (RFC 9727). */
import type { GraphQLSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { asyncApiDocument } from './asyncapi.ts';
import { changelogFeed } from './changelog-feed.ts';
import { frontPage } from './front-page.ts';
import { guideLinks, guide, guides, guidesPath, guideTexts, type Guide } from './guides.ts';
import { documentWithNavigation } from './html.ts';
import { llmsText } from './llms.ts';
import { tagOf } from './openapi-operation.ts';
import { documentOfTag } from './openapi-parts.ts';
import { openApiDocument, type OpenApiDocument } from './openapi.ts';
import type { Operation } from '../operations/operation.ts';
import { postmanCollection } from './postman.ts';
import { navigation, areaPath } from './reference/navigation.ts';
import { areaPage, overviewPage } from './reference/reference-pages.ts';
import { htmlPage, page, type Page } from './static-page.ts';
import { versionPath } from '../versions.ts';
import type { Major } from '../versions.ts';

const openApiType = 'application/vnd.oai.openapi';

const tagsOf = (operations: readonly Operation[], major: number): string[] =>
  [...new Set(operations.filter((operation) => operation.major === major).map(tagOf))].sort();

/** The files of the documentation pages. `npm run schema` generates the scripts. */
function assets(): readonly Page[] {
  const read = (name: string) => (): string => readFileSync(join(import.meta.dirname, 'browser', name), 'utf8');
  const script = (name: string): Page =>
    page(`/docs/assets/${name}.js`, 'text/javascript; charset=utf-8', read(`generated/${name}.js`));
  return [
    page('/docs/assets/style.css', 'text/css; charset=utf-8', read('style.css')),
    page('/docs/assets/icon.svg', 'image/svg+xml', read('icon.svg')),
    script('reference'),
    script('samples'),
  ];
}

/** The reference and the guides, which share their navigation. */
function readingPages(document: () => OpenApiDocument, tags: readonly string[]): readonly Page[] {
  const links = guideLinks();
  const guidePage = (path: string, { title, make }: Guide): Page =>
    htmlPage(path, () => documentWithNavigation(title, navigation(document(), links, path), make()));
  return [
    htmlPage('/docs', () => overviewPage(document(), links)),
    ...tags.map((tag) => htmlPage(areaPath(tag), () => areaPage(document(), tag, links))),
    // the `type` of every problem leads here
    guidePage('/docs/problems', guide('errors.md')),
    guidePage('/docs/changelog', guide('api-changelog.md')),
    ...guides().map((each) => guidePage(each.path, each)),
  ];
}

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
  const created = new Map<number, OpenApiDocument>();
  // created on the first request: the platform starts faster without it
  const documentOf = (major: number): OpenApiDocument => {
    const document = created.get(major) ?? openApiDocument({ apiSchema, operations, major, publicUrl });
    created.set(major, document);
    return document;
  };
  const base = publicUrl?.replace(/\/$/, '') ?? '';
  const json = (value: unknown): string => JSON.stringify(value, null, 2);
  const openApiPages = ({ major }: Major): readonly Page[] => [
    page(versionPath(major), 'application/json; charset=utf-8', () => json(index(operations, major))),
    page(`${versionPath(major)}/openapi.json`, `${openApiType}+json;version=3.1; charset=utf-8`, () => json(documentOf(major))),
    page(`${versionPath(major)}/openapi.yaml`, `${openApiType}+yaml;version=3.1; charset=utf-8`, () =>
      stringify(documentOf(major), { aliasDuplicateObjects: false }),
    ),
    page(`${versionPath(major)}/asyncapi.json`, 'application/vnd.aai.asyncapi+json;version=3.0.0; charset=utf-8', () =>
      json(asyncApiDocument(documentOf(major), { major, publicUrl })),
    ),
    page(`${versionPath(major)}/postman.json`, 'application/json; charset=utf-8', () =>
      json(postmanCollection(documentOf(major))),
    ),
    ...tagsOf(operations, major).map((tag) =>
      page(`${versionPath(major)}/openapi/${tag}.json`, `${openApiType}+json;version=3.1; charset=utf-8`, () =>
        json(documentOfTag(documentOf(major), tag)),
      ),
    ),
  ];
  return [
    ...table.flatMap(openApiPages),
    htmlPage('/', () => frontPage(base)),
    page('/llms.txt', 'text/plain; charset=utf-8', () =>
      llmsText(base, versionPath(latest.major), tagsOf(operations, latest.major)),
    ),
    ...guideTexts().map(({ path, make }) => page(path, 'text/markdown; charset=utf-8', make)),
    ...readingPages(() => documentOf(latest.major), tagsOf(operations, latest.major)),
    ...assets(),
    page('/docs/changelog.atom', 'application/atom+xml; charset=utf-8', () => changelogFeed(publicUrl ?? '')),
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
      asyncapi: `${base}/asyncapi.json`,
      documentation: '/docs',
      changelog: '/docs/changelog',
      postman: `${base}/postman.json`,
      tools: '/mcp',
      llms: '/llms.txt',
      guides: guidesPath,
      graphql: '/graphql',
      catalog: '/.well-known/api-catalog',
    },
  };
}

function catalog(table: readonly Major[]): unknown {
  const apis = table.map(({ major }) => ({
    anchor: versionPath(major),
    'service-desc': [
      { href: `${versionPath(major)}/openapi.json`, type: 'application/vnd.oai.openapi+json' },
      { href: `${versionPath(major)}/asyncapi.json`, type: 'application/vnd.aai.asyncapi+json' },
    ],
    'service-doc': [{ href: '/docs', type: 'text/html' }],
    status: [{ href: `${versionPath(major)}/status`, type: 'application/json' }],
  }));
  return { linkset: [{ anchor: '/.well-known/api-catalog', item: apis.map(({ anchor }) => ({ href: anchor })) }, ...apis] };
}

/** The navigation beside every documentation page: search, guides, and every operation by area. */
import { escape } from '../html.ts';
import type { OpenApiDocument, OpenApiOperation } from '../openapi.ts';

export interface NavigationLink {
  readonly href: string;
  readonly title: string;
}

export interface OperationEntry {
  readonly method: string;
  /** Path below the server of the document, with placeholders. */
  readonly path: string;
  readonly operation: OpenApiOperation;
}

/** The operations of one tag in the order of the document. */
export function operationsOf(document: OpenApiDocument, tag: string): readonly OperationEntry[] {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation }) => operation.tags.includes(tag));
}

/** The first sentence of the summary without its final period. */
export const titleOf = ({ summary }: OpenApiOperation): string =>
  (/^.*?\.(?= |$)/.exec(summary)?.[0] ?? summary).replace(/\.$/, '');

/** The page of an area, and the place of an operation on it. */
export const areaPath = (tag: string): string => `/docs/reference/${tag}`;
export const operationHref = (tag: string, { operationId }: OpenApiOperation): string => `${areaPath(tag)}#${operationId}`;

/** `registered-documents` is “Registered documents”. */
export const areaTitle = (tag: string): string => (tag.charAt(0).toUpperCase() + tag.slice(1)).replaceAll('-', ' ');

export const methodLabel = (method: string): string => `<span class="method ${method}">${method.toUpperCase()}</span>`;

/** The index of the guides has two addresses. */
const withoutSlash = (path: string): string => path.replace(/\/$/, '');

const linkOf = ({ href, title }: NavigationLink, current: string): string =>
  `<li><a href="${escape(href)}"${withoutSlash(href) === withoutSlash(current) ? ' aria-current="page"' : ''}>${escape(title)}</a></li>`;

function areaGroup(document: OpenApiDocument, tag: string, current: string): string {
  const links = operationsOf(document, tag).map(
    ({ method, path, operation }) =>
      `<li><a href="${operationHref(tag, operation)}" title="${escape(path)}">${methodLabel(method)} <span>${escape(titleOf(operation))}</span></a></li>`,
  );
  const isCurrent = current === areaPath(tag);
  return `<details${isCurrent ? ' open' : ''}><summary>${escape(areaTitle(tag))}</summary><ul>
<li><a href="${areaPath(tag)}"${isCurrent ? ' aria-current="page"' : ''}>All of this area</a></li>
${links.join('\n')}
</ul></details>`;
}

/** @param current path of the page that shows the navigation */
export function navigation(document: OpenApiDocument, guides: readonly NavigationLink[], current: string): string {
  const isGuide = guides.some(({ href }) => href === current);
  const pages: readonly NavigationLink[] = [
    { href: '/docs', title: 'Overview' },
    { href: '/docs/guides/', title: 'All guides' },
    { href: '/docs/problems', title: 'Error codes' },
    { href: '/docs/changelog', title: 'API changelog' },
    { href: '/graphql', title: 'GraphQL explorer' },
  ];
  return `<a class="home" href="/">Talent Platform</a>
<label class="search">Search <input type="search" id="search" autocomplete="off" placeholder="Operations and guides (/)"></label>
<nav aria-label="Documentation">
<ul>${pages.map((link) => linkOf(link, current)).join('\n')}</ul>
<details${isGuide ? ' open' : ''}><summary>Guides</summary><ul>
${guides.map((link) => linkOf(link, current)).join('\n')}
</ul></details>
<h2>REST reference</h2>
${document.tags.map(({ name }) => areaGroup(document, name, current)).join('\n')}
<p id="nothing-found" hidden>Nothing found.</p>
</nav>`;
}

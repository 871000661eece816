/** The guides and decision records of docs/ as HTML pages under /docs/guides/, with links between the served pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked } from 'marked';
import { documentOf, escape } from './reference-page.ts';

export const guidesPath = '/docs/guides/';

const folder = join(import.meta.dirname, '../../docs');
const read = (file: string): string => readFileSync(join(folder, file), 'utf8');

/** Every Markdown file below docs/, as a path relative to it. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.md'))
  .sort();

/** `keys.md` is /docs/guides/keys, and the README.md of a folder is the folder itself. */
const pathOf = (file: string): string => guidesPath + file.replace(/(?:^|(?<=\/))README\.md$|\.md$/, '');

/** The anchor of a heading, by GitHub's rule. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const titleOf = (markdown: string): string => /^# (.+)$/m.exec(markdown)?.[1]?.replaceAll('`', '') ?? 'Guides';

/** The target of a link on this server; null for repository files that are not served. */
function targetOf(file: string, href: string): string | null {
  if (/^(?:[a-z]+:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const linked = posix.normalize(posix.join(posix.dirname(file), path));
  const page = linked.endsWith('/') ? `${linked}README.md` : linked;
  if (!files.includes(page)) return null;
  return pathOf(page) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Renders Markdown. HTML in it is escaped, and images are replaced by their descriptions. */
function render(file: string, markdown: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${escape(anchorOf(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = targetOf(file, href);
        const text = this.parser.parseInline(tokens);
        return target === null ? text : `<a href="${escape(target)}">${text}</a>`;
      },
      image: ({ text }) => `<em>${escape(text)}</em>`,
      html: ({ text }) => escape(text),
    },
  });
  return marked.parse(markdown, { async: false });
}

const listOf = (rows: readonly (readonly [href: string, title: string])[], current: string): string =>
  rows
    .map(([href, title]) => `<li><a href="${escape(href)}"${href === current ? ' aria-current="page"' : ''}>${title}</a></li>`)
    .join('\n');

/** The guides in the order of the index. */
function contents(): (readonly [href: string, title: string])[] {
  const links = [...read('README.md').matchAll(/\[([^\]]+)\]\(([\w-]+\.md)\)/g)];
  const rows = new Map(links.map(([, title = '', file = '']) => [pathOf(file), escape(title)] as const));
  return [...rows];
}

function pageOf(file: string, markdown: string): string {
  return documentOf(
    titleOf(markdown),
    `<nav aria-label="Documentation"><a href="${guidesPath}">Guides</a><a href="/docs">REST reference</a><a href="/docs/problems">Error codes</a></nav>
<div class="guide">
<nav aria-label="Guides"><ul>
${listOf(contents(), pathOf(file))}
</ul></nav>
<main>
${render(file, markdown)}</main>
</div>`,
  );
}

/** The sections of the API changelog: a date each, with their content as HTML, newest first. */
export function changelogSections(): { readonly date: string; readonly html: string }[] {
  const file = 'api-changelog.md';
  const sections = read(file).split(/^## /m).slice(1);
  return sections.map((section) => {
    const end = section.indexOf('\n');
    return { date: section.slice(0, end).trim(), html: render(file, section.slice(end)) };
  });
}

/** One guide as HTML, by its file below docs/. Throws Error when there is no such file. */
export const guide = (file: string): string => pageOf(file, read(file));

/** Every guide with its path. The paths are fixed when the process starts, so a request cannot name another file. */
export function guides(): { readonly path: string; readonly make: () => string }[] {
  const pages = files.map((file) => ({ path: pathOf(file), make: () => guide(file) }));
  return [{ path: guidesPath.slice(0, -1), make: () => guide('README.md') }, ...pages];
}

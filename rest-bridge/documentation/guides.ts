/** The guides and decision records of docs/ as HTML pages under /docs/guides/, with links between the served pages. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked } from 'marked';
import { escape } from './html.ts';
import type { NavigationLink } from './reference/navigation.ts';

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

/** The guides in the order of the index. */
export function guideLinks(): readonly NavigationLink[] {
  const links = [...read('README.md').matchAll(/\[([^\]]+)\]\(([\w-]+\.md)\)/g)];
  const titles = new Map(links.map(([, title = '', file = '']) => [pathOf(file), title] as const));
  return [...titles].map(([href, title]) => ({ href, title }));
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

export interface Guide {
  readonly path: string;
  readonly title: string;
  /** The content as HTML, without the page around it. */
  readonly make: () => string;
}

/** One guide, by its file below docs/. Throws Error when there is no such file. */
export function guide(file: string): Guide {
  const markdown = read(file);
  return { path: pathOf(file), title: titleOf(markdown), make: () => render(file, markdown) };
}

/** The rows of the index by section, in its order. */
export function guideIndex(): {
  readonly section: string;
  readonly rows: readonly { readonly file: string; readonly title: string; readonly text: string }[];
}[] {
  const row = /^\| (.+?) \| \[([^\]]+)\]\(([\w-]+\.md)\) \|$/gm;
  return read('README.md')
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      section: section.slice(0, section.indexOf('\n')),
      rows: [...section.matchAll(row)].map(([, text = '', title = '', file = '']) => ({ file, title, text })),
    }));
}

/** The Markdown of a guide. Links to files that are not served, and images, are replaced by their texts. */
const markdownOf = (file: string): string =>
  read(file).replaceAll(/(!?)\[([^\]]*)\]\(([^()\s]+)\)/g, (whole, image: string, text: string, href: string) =>
    image === '' && targetOf(file, href) !== null ? whole : text,
  );

/** Every guide as Markdown with its path: `/docs/guides/keys.md`. */
export function guideTexts(): { readonly path: string; readonly make: () => string }[] {
  return files.map((file) => ({ path: guidesPath + file, make: () => markdownOf(file) }));
}

/** Every guide with its path. The paths are fixed when the process starts, so a request cannot name another file. */
export function guides(): readonly Guide[] {
  return [{ ...guide('README.md'), path: guidesPath.slice(0, -1) }, ...files.map(guide)];
}

/** The pages of the project as a reader sees them: sections, blocks to paste, links, and rows of tables. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listFiles, readText, root } from './architecture/source.ts';

/** Markdown that people read; the changelog and what is generated apart. */
export const pages = listFiles().filter((path) => path.endsWith('.md') && path !== 'schema/generated/operations.md');

/** The text below a heading, up to the next of the same or a higher rank. Throws Error when there is none. */
export function section(path: string, heading: string): string {
  const [, marks = '', rest = ''] = new RegExp(`^(#+) ${heading}$\\n([^]*)`, 'm').exec(readText(path)) ?? [];
  if (marks === '') throw new Error(`${path} has no section "${heading}"`);
  return rest.split(new RegExp(`^#{1,${marks.length}} `, 'm'))[0] ?? '';
}

/** Fenced blocks of a language, in order. */
export function blocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].filter(([, name]) => name === language).map(([, , body = '']) => body);
}

/** The first cells of all rows of tables, without their code marks. */
export function rowNames(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)`/gm)].map(([, name = '']) => name);
}

const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Links to files or headings that are not there. */
export function lostLinks(path: string): string[] {
  const text = readText(path).replaceAll(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const linked = file === '' ? path : posix.join(posix.dirname(path), file);
    if (!existsSync(join(root, linked))) return [`${path} links to ${target}`];
    if (anchor === undefined || !linked.endsWith('.md')) return [];
    const anchors = [...readText(linked).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
    return anchors.includes(anchor) ? [] : [`${path} links to ${target}`];
  });
}

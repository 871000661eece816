/** Reads the Markdown pages of the project: sections, code blocks, requests, paragraphs, links, and rows of tables. */
import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listFiles, readText, root } from './architecture/source.ts';

/** All Markdown pages except generated ones. */
export const pages = listFiles().filter((path) => path.endsWith('.md') && path !== 'schema/generated/operations.md');

/** The guides: Markdown files directly in docs/. */
export const guidePages = pages.filter((path) => /^docs\/[\w-]+\.md$/.test(path));

/** The text below a heading, up to the next of the same or a higher rank. Throws Error if there is no such heading. */
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

/** Links to files or headings that do not exist. */
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

/** Paragraphs and list items of a page that need more lines than `lines` when they are wrapped at `width` characters. */
export function longParagraphs(path: string, lines: number, width: number): string[] {
  const text = readText(path)
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .replaceAll(/^\|.*$/gm, '')
    .replaceAll(/\]\([^)]*\)/g, ']');
  const paragraphs = text.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=#)/);
  return paragraphs
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => wrappedLines(paragraph, width) > lines)
    .map((paragraph) => `${path}: ${paragraph.slice(0, 80)}`);
}

function wrappedLines(text: string, width: number): number {
  let lines = 1;
  let column = 0;
  for (const word of text.split(' ')) {
    if (column > 0 && column + 1 + word.length > width) {
      lines += 1;
      column = 0;
    }
    column += (column === 0 ? 0 : 1) + word.length;
  }
  return lines;
}

export interface ApiRequest {
  readonly method: string;
  /** Without /api/v1; ids may be shell variables. */
  readonly path: string;
  /** Names of the query parameters. */
  readonly query: readonly string[];
}

/** The requests of sh blocks: curl with a literal or `$BASE` URL, and the helpers `send`, `post`, `patch` and `show` of long guides. */
export function apiRequests(text: string): ApiRequest[] {
  const commands = blocks(text, 'sh').flatMap((block) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'));
  return commands.flatMap((line) => {
    const curls = [...line.matchAll(/(?:localhost:4000|\$BASE)\/api\/v1(\/[^\s'"|)]*)/g)].map(
      ([, target = '']) => [/-X ([A-Z]+)/.exec(line)?.[1] ?? 'GET', target] as const,
    );
    const sent = [...line.matchAll(/\bsend (?:"\$\w+" )?(GET|POST|PUT|PATCH|DELETE) "?(\/[^\s"]*)/g)].map(
      ([, method = '', target = '']) => [method, target] as const,
    );
    const helperCalls = [...line.matchAll(/\b(send|post|patch|show) (?:"\$\w+" )?"?(\/[^\s"]*)/g)].map(
      ([, helper = '', target = '']) => [helperMethods[helper] ?? 'POST', target] as const,
    );
    return [...curls, ...sent, ...helperCalls]
      .filter(([, target]) => !target.startsWith('$') && !/^\/?\$[12]/.test(target))
      .map(([method, target]) => {
        const [path = '', query = ''] = target.split('?');
        return { method, path, query: query.split('&').flatMap((part) => (/^(\w+)=/.exec(part) ?? []).slice(1)) };
      });
  });
}

const helperMethods: Readonly<Record<string, string>> = { show: 'GET', patch: 'PATCH' };

/** Whether a path of a request belongs to a path of the OpenAPI document: `{id}` is an id, a placeholder or a shell variable. */
export function matchesRoute(route: string, path: string): boolean {
  const parts = path.split('/');
  const patterns = route.split('/');
  const isId = (part: string): boolean => /^(?:\$\{?\w+\}?|[0-9a-f-]{36}|\{\w+\}|[a-z]+|\d{4}-\d{2})$/.test(part);
  return (
    parts.length === patterns.length &&
    patterns.every((pattern, index) => (pattern.startsWith('{') ? isId(parts[index] ?? '') : pattern === parts[index]))
  );
}

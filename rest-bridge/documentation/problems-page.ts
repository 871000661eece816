/** docs/problems.md as a page, which the `type` of every problem links to. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documentOf, escape, prose } from './reference-page.ts';

const file = join(import.meta.dirname, '../../docs/problems.md');

/** Supports the Markdown that the page uses: headings, paragraphs, code and bold. */
function blockOf(block: string): string {
  const [, marks, title = '', text = ''] = /^(#+) (.+)\n?([^]*)$/.exec(block) ?? [];
  if (marks === undefined) return `<p>${prose(block).replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')}</p>`;
  const heading = `<h${marks.length} id="${escape(title)}">${escape(title)}</h${marks.length}>`;
  return text === '' ? heading : `${heading}\n${blockOf(text)}`;
}

/** Renders the page; the id of each heading is its error code. */
export function problemsPage(): string {
  const blocks = readFileSync(file, 'utf8').trim().split(/\n\n+/);
  return documentOf('Problems', `<main>\n${blocks.map(blockOf).join('\n')}\n</main>`);
}

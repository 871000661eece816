/** Parts of HTML: escaped text, and the frame of a page. */
import { escapeHtml } from '../../platform/http/escape-html.ts';

export { escapeHtml as escape };

/** Escapes text, and marks it as code. */
export const code = (text: unknown): string => `<code>${escapeHtml(text)}</code>`;

/** Escapes text, and renders `code` and links to pages of this server. */
export const prose = (text: unknown): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

/** A page without navigation. The style sheet and the script are those of documentation-files.ts. */
export function documentOf(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/assets/style.css">
<script type="module" src="/docs/assets/reference.js"></script>
</head>
<body>
${body}
</body>
</html>`;
}

/** A page with the navigation at its side. */
export function documentWithNavigation(title: string, navigation: string, main: string): string {
  return documentOf(
    title,
    `<a class="skip" href="#main">Skip to the content</a>
<header><input type="checkbox" id="menu" aria-label="Show the navigation"><label for="menu" class="menu" aria-hidden="true">Menu</label></header>
<aside>${navigation}</aside>
<main id="main">
${main}
</main>`,
  );
}

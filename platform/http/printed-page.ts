/** Pages for print: no script and no request, with one style sheet in the page, so that a saved page looks the same. */
import { hash } from 'node:crypto';
import { escapeHtml } from './escape-html.ts';

const style = `:root{color-scheme:light;font:10pt/1.45 system-ui,sans-serif;color:#111;background:#fff}
body{max-width:180mm;margin:12mm auto;padding:0 5mm}
h1{font-size:18pt;margin:0 0 6mm}
header,.parties{display:flex;flex-wrap:wrap;gap:10mm;justify-content:space-between;margin-bottom:8mm}
address{font-style:normal;white-space:pre-line}
h2{font-size:9pt;margin:0 0 1mm;color:#555;font-weight:600}
dl{display:grid;grid-template-columns:auto auto;gap:1mm 5mm;margin:0}dd{margin:0;text-align:right}
table{border-collapse:collapse;width:100%;margin-bottom:6mm}
th,td{padding:1.5mm 2mm;text-align:left;vertical-align:top;border-bottom:1px solid #ccc;overflow-wrap:anywhere}
thead th{border-bottom:2px solid #111}
.amount{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.totals{width:auto;margin-left:auto}.totals tr:last-child>*{font-weight:700;border-bottom:2px solid #111}
small{color:#555}
@page{size:A4;margin:15mm}
@media print{body{margin:0;max-width:none;padding:0}thead{display:table-header-group}tr,.totals{break-inside:avoid}}`;

/** Only the style sheet of the page: no script, no image, no form, no frame and no request. */
export const printedPagePolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

// Browsers ignore frame-ancestors in a page.
const policyInPage = printedPagePolicy.replace("; frame-ancestors 'none'", '');

/** A page that a browser prints or saves as PDF. `body` is HTML; the page has its own content security policy for when it is saved. */
export const printedPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policyInPage)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;

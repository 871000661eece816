/** The Content-Security-Policy of each page. */

type Directives = Readonly<Record<string, readonly string[]>>;

/** Pages load from this server only and cannot be framed. */
const baseDirectives: Directives = {
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
};

const serialize = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');

/** The dashboard: styles that its component library adds at run time carry the nonce of the response. */
export const dashboardPolicy = (nonce: string): string =>
  serialize({ ...baseDirectives, 'style-src': ["'self'", `'nonce-${nonce}'`] });

/**
 * The explorer: its editor (Monaco) adds style elements and attributes without a nonce, and loads its fonts as data URLs.
 * Only styles are unrestricted; scripts stay as strict as on other pages.
 */
export const explorerPolicy = serialize({
  ...baseDirectives,
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'", 'data:'],
  'worker-src': ["'self'"],
});

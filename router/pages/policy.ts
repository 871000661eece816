/** What a page of ours may load and do: the Content-Security-Policy of each. */

type Directives = Readonly<Record<string, readonly string[]>>;

/** A page loads what this very server has, and nothing else; who it may be framed by: nobody. */
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

const written = (directives: Directives): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');

/** Of the dashboard: the styles that its library makes while it runs carry the nonce of the answer. */
export const dashboardPolicy = (nonce: string): string =>
  written({ ...baseDirectives, 'style-src': ["'self'", `'nonce-${nonce}'`] });

/**
 * Of the explorer. Its editor (Monaco) writes style elements and attributes without a nonce, and brings its fonts as data:
 * styles alone are open, scripts stay as strict as elsewhere.
 */
export const explorerPolicy = written({
  ...baseDirectives,
  'style-src': ["'self'", "'unsafe-inline'"],
  'font-src': ["'self'", 'data:'],
  'worker-src': ["'self'"],
});

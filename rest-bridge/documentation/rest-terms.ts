/** Rewrites descriptions that come from the GraphQL schema: arguments are parameters, with the names of REST. */

const restTerms: Readonly<Record<string, string>> = {
  '`after`': '`cursor`',
  '`endCursor`': '`page.nextCursor`',
  '`first`': '`limit`',
  '`ifMatch`': '`If-Match`',
  '`ifNoneMatch`': '`If-None-Match`',
  '`idempotencyKey`': '`Idempotency-Key`',
  'no argument': 'no parameter',
};

const terms = new RegExp(Object.keys(restTerms).join('|'), 'g');
const texts: ReadonlySet<string> = new Set(['description', 'summary']);

/** A copy of a JSON document with REST terms in every `description` and `summary`. */
export function inRestTerms<Document>(document: Document): Document {
  // Cast: rewrite copies member by member and changes strings only.
  return rewrite(document) as Document;
}

function rewrite(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rewrite);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]: [string, unknown]) => [
      member,
      texts.has(member) && typeof inner === 'string'
        ? inner.replaceAll(terms, (term) => restTerms[term] ?? term)
        : rewrite(inner),
    ]),
  );
}

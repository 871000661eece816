/** What a GraphQL request must pass before Apollo parses and validates it. */
import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { limitBytes, limitDocument, limits, limitTokens } from '../operations/limits.ts';
import { rejectUnstorableText } from './unstorable-text.ts';

const simpleTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);
const preflightHeaders = ['x-apollo-operation-name', 'apollo-require-preflight'];

/**
 * Throws csrf_refused for a request that a browser sends across sites without a preflight: no content type of its own
 * and none of the headers that would force one (the rule of Apollo Server, told with our code).
 */
export function rejectCrossSite(headers: Readonly<Record<string, string | string[] | undefined>>): void {
  const type = headers['content-type'];
  const mime = typeof type === 'string' ? type.split(';', 1)[0]?.trim().toLowerCase() : undefined;
  if (mime !== undefined && mime !== '' && !simpleTypes.has(mime)) return;
  if (preflightHeaders.some((name) => headers[name] !== undefined && headers[name] !== '')) return;
  throw new Problem(
    'csrf_refused',
    'Send a content-type such as application/json, or the header apollo-require-preflight: true; browsers cannot send either across sites unasked.',
  );
}

/** The document of a request, wherever it is; null for a persisted one or when there is none. */
export function documentOf(body: unknown, query: unknown): string | null {
  for (const source of [body, query]) {
    if (typeof source !== 'object' || source === null || !('query' in source)) continue;
    if (typeof source.query === 'string') return source.query;
  }
  return null;
}

/** Limits by text, each distinct text looked at once; throws the same Problem each time. */
export function createLimitCheck(maxTexts = 2_000): (text: string) => void {
  const verdicts = new LRUCache<string, Problem | true>({ max: maxTexts });

  function judge(text: string): Problem | true {
    try {
      limitTokens(text);
      rejectUnstorableText(text);
      let document: DocumentNode;
      try {
        document = parse(text, { maxLexicalTokens: limits.tokens, noLocation: true });
      } catch {
        // Told by Apollo, with its own code and the place.
        return true;
      }
      limitDocument(document);
      return true;
    } catch (error) {
      if (error instanceof Problem) return error;
      throw error;
    }
  }

  return (text) => {
    limitBytes(text);
    // by its hash: a verdict is small, however long the text
    const key = createHash('sha256').update(text).digest('base64url');
    let verdict = verdicts.get(key);
    if (verdict === undefined) {
      verdict = judge(text);
      verdicts.set(key, verdict);
    }
    if (verdict instanceof Problem) throw verdict;
  };
}

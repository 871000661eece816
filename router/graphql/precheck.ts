/** Checks on a GraphQL request before Apollo Server parses and validates it. */
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
 * Throws csrf_refused for a request that a browser can send across sites without a preflight: a simple content type and none of
 * the headers that force a preflight (the rule of Apollo Server, with our error code).
 */
export function rejectCrossSite(headers: Readonly<Record<string, string | string[] | undefined>>): void {
  const type = headers['content-type'];
  const mime = typeof type === 'string' ? type.split(';', 1)[0]?.trim().toLowerCase() : undefined;
  if (mime !== undefined && mime !== '' && !simpleTypes.has(mime)) return;
  if (preflightHeaders.some((name) => headers[name] !== undefined && headers[name] !== '')) return;
  throw new Problem(
    'csrf_refused',
    'Send the header content-type: application/json or apollo-require-preflight: true. A browser cannot send either across sites without a preflight.',
  );
}

/** The document of a request, from the body or the query string; null for a persisted query or without one. */
export function documentOf(body: unknown, query: unknown): string | null {
  for (const source of [body, query]) {
    if (typeof source !== 'object' || source === null || !('query' in source)) continue;
    if (typeof source.query === 'string') return source.query;
  }
  return null;
}

/** Checks the document limits once per distinct text; throws the same Problem each time. */
export function createLimitCheck(maxTexts = 2_000): (text: string) => void {
  const results = new LRUCache<string, Problem | true>({ max: maxTexts });

  function check(text: string): Problem | true {
    try {
      limitTokens(text);
      rejectUnstorableText(text);
      let document: DocumentNode;
      try {
        document = parse(text, { maxLexicalTokens: limits.tokens, noLocation: true });
      } catch {
        // reported by Apollo Server, with its code and the location
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
    // by hash, so that the size of an entry does not depend on the text
    const key = createHash('sha256').update(text).digest('base64url');
    let result = results.get(key);
    if (result === undefined) {
      result = check(text);
      results.set(key, result);
    }
    if (result instanceof Problem) throw result;
  };
}

/** Checks on a GraphQL request before Apollo Server parses and validates it. */
import { createHash } from 'node:crypto';
import { parse } from 'graphql';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { limitDocument, limits, limitTokens } from '../operations/limits.ts';
import { rejectUnstorableText } from './unstorable-text.ts';

/** The document of a request, from the body or the query string; null for a persisted query or without one. */
export function documentOf(body: unknown, query: unknown): string | null {
  for (const source of [body, query]) {
    if (typeof source !== 'object' || source === null || !('query' in source)) continue;
    if (typeof source.query === 'string') return source.query;
  }
  return null;
}

/** SHA-256 of a document in hex, as in automatic persisted queries. */
export const documentHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Checks the document limits once per distinct text; throws the same Problem each time. */
export function createLimitCheck(maxTexts = 2_000): (text: string, hash: string) => void {
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

  return (text, hash) => {
    // by hash, so that the size of an entry does not depend on the text
    let result = results.get(hash);
    if (result === undefined) {
      result = check(text);
      results.set(hash, result);
    }
    if (result instanceof Problem) throw result;
  };
}

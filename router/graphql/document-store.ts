/** Apollo Server's cache of valid documents, bounded by the length of their texts; its default ignores comments. */
import type { DocumentStore } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';

const bounds = {
  max: 4_000,
  maxSize: 20_000_000,
  sizeCalculation: ({ loc }: DocumentNode): number => (loc?.source.body.length ?? 0) + 1,
};

export function createDocumentStore(): DocumentStore {
  const documents = new LRUCache<string, DocumentNode>(bounds);
  return {
    get: (key) => Promise.resolve(documents.get(key)),
    set: (key, document) => Promise.resolve(void documents.set(key, document)),
    delete: (key) => Promise.resolve(documents.delete(key)),
  };
}

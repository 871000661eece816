/** The cache key of an operation, equal for texts that differ only in comments, commas and white space. */
import { createHash } from 'node:crypto';
import { stripIgnoredCharacters } from 'graphql';
import type { DocumentNode } from 'graphql';

/** A text for one audience, and the operation in it to run. */
export interface TextOperation {
  readonly text: string;
  readonly operationName: string | null;
  readonly audience: string;
  /** The parsed text, if it is already validated for the audience. */
  readonly document?: DocumentNode;
}

export interface OperationKey {
  /** Hash of the audience, the operation name and the text without ignored characters. */
  readonly hash: string;
  /** Length of that text in characters. */
  readonly size: number;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const stripped = new WeakMap<DocumentNode, OperationKey>();

/** The key of an operation, computed once per parsed document. Areas always send identical texts, which are not stripped. */
export function operationKey({ text, operationName, audience, document }: TextOperation): OperationKey {
  if (document === undefined) return { hash: `${audience}\n${operationName ?? ''}\n${text}`, size: text.length };
  let own = stripped.get(document);
  if (own === undefined) {
    const plain = stripIgnoredCharacters(text);
    own = { hash: hashOf(plain), size: plain.length };
    stripped.set(document, own);
  }
  return { hash: hashOf(`${audience}\n${operationName ?? ''}\n${own.hash}`), size: own.size };
}

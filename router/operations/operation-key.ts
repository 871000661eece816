/** What makes two texts of an operation the same: everything but comments, commas and white space. */
import { createHash } from 'node:crypto';
import { stripIgnoredCharacters } from 'graphql';
import type { DocumentNode } from 'graphql';

/** A text for one audience, and which of its operations is meant. */
export interface TextOperation {
  readonly text: string;
  readonly operationName: string | null;
  readonly audience: string;
  /** The parsed text, when it is already known to be valid for the audience. */
  readonly document?: DocumentNode;
}

export interface OperationKey {
  /** Of the audience, the operation's name and the text without what is ignored. */
  readonly hash: string;
  /** Characters of that text. */
  readonly size: number;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

const stripped = new WeakMap<DocumentNode, OperationKey>();

/** The key of an operation; found once per parsed document. Areas always send the same texts, which are taken as they are. */
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

/** Finds the document of a request: its text, or the id of a registered document. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { persistedHashOf } from './persisted-query.ts';
import { documentHash, documentOf } from './precheck.ts';
import type { RegisteredDocuments } from './registered-documents.ts';

export interface RequestedDocument {
  readonly text: string;
  /** SHA-256 of the text in hex. */
  readonly hash: string;
  /** Whether the account of the key has registered the document. */
  readonly isRegistered: boolean;
}

/** Whose registered documents a request may run. */
export interface DocumentCaller {
  readonly viewer: Viewer;
  /** Whether only registered documents run. */
  readonly registeredDocumentsOnly: boolean;
}

const documentIdPattern = /^sha256:([0-9a-f]{64})$/;

const invalidId = (detail: string): Problem =>
  new Problem('parameter_invalid', detail, { errors: [{ parameter: 'documentId', code: 'invalid', detail }] });

/** The hash in `documentId` (the persisted documents of GraphQL over HTTP); null without one. Throws parameter_invalid. */
function documentHashIn(...sources: readonly unknown[]): string | null {
  for (const source of sources) {
    const id = isRecord(source) ? source['documentId'] : undefined;
    if (id === undefined || id === null) continue;
    const [, hash] = (typeof id === 'string' && documentIdPattern.exec(id)) || [];
    if (hash === undefined) throw invalidId('`documentId` must be "sha256:" and the SHA-256 of the document in lower-case hex.');
    return hash;
  }
  return null;
}

const notFound = (sha256: string, advice: string): Problem =>
  new Problem('document_not_found', `There is no registered document "sha256:${sha256}". ${advice}`, {
    documentId: `sha256:${sha256}`,
  });

const notRegistered = (sha256: string): Problem =>
  new Problem(
    'document_not_registered',
    'This API key runs only registered documents. Register the document with POST /api/v1/registered-documents/batch, or use another key.',
    { documentId: `sha256:${sha256}` },
  );

/**
 * The document of a request; null for an automatic persisted query that Apollo Server resolves, or without a document. Registered
 * documents are looked up for an id, and for a key that runs only those; other texts cost nothing.
 * Throws parameter_invalid, document_not_found, document_not_registered (403), or upstream_unavailable.
 */
export async function requestedDocument(
  { body, query }: Pick<FastifyRequest, 'body' | 'query'>,
  caller: DocumentCaller,
  registered: RegisteredDocuments | undefined,
): Promise<RequestedDocument | null> {
  const text = documentOf(body, query);
  const id = documentHashIn(body, query);
  if (text !== null && id !== null) throw invalidId('Send either `query` or `documentId`.');
  if (text !== null) return givenDocument(text, caller, registered);
  const hash = id ?? persistedHashOf(body, query);
  return hash === null ? null : namedDocument(hash, id !== null, caller, registered);
}

/** A document that the request contains. */
async function givenDocument(
  text: string,
  { viewer: { accountId }, registeredDocumentsOnly }: DocumentCaller,
  registered: RegisteredDocuments | undefined,
): Promise<RequestedDocument> {
  const hash = documentHash(text);
  if (!registeredDocumentsOnly) return { text, hash, isRegistered: false };
  const found = accountId === null ? null : await registered?.find(accountId, hash);
  if (found !== text) throw notRegistered(hash);
  return { text, hash, isRegistered: true };
}

/** A document that the request names by its hash. */
async function namedDocument(
  hash: string,
  isId: boolean,
  { viewer: { accountId }, registeredDocumentsOnly }: DocumentCaller,
  registered: RegisteredDocuments | undefined,
): Promise<RequestedDocument | null> {
  const found = accountId === null || registered === undefined ? null : await find(registered, accountId, hash, isId);
  if (found !== null) return { text: found, hash, isRegistered: true };
  if (registeredDocumentsOnly) throw notRegistered(hash);
  if (!isId) return null;
  const advice =
    accountId === null
      ? 'Send the API key of the account that registered it.'
      : 'Register it with POST /api/v1/registered-documents/batch, or send its text in `query`.';
  throw notFound(hash, advice);
}

/** While the accounts area is unavailable, a hash may still be that of an automatic persisted query. */
async function find(registered: RegisteredDocuments, accountId: string, hash: string, isId: boolean): Promise<string | null> {
  try {
    return await registered.find(accountId, hash);
  } catch (error) {
    if (isId || !(error instanceof Problem)) throw error;
    return null;
  }
}

/** Runs `handle`, which reads body and URL at once, on a request with this text in `query`, as Apollo Server expects it. */
export function handleWithText<Result>(request: FastifyRequest, text: string, handle: () => Result): Result {
  const { url, body, raw } = request;
  if (request.method === 'GET') {
    const complete = new URL(url, 'http://router');
    complete.searchParams.delete('documentId');
    complete.searchParams.delete('extensions');
    complete.searchParams.set('query', text);
    raw.url = `${complete.pathname}${complete.search}`;
  } else {
    const { documentId: _, extensions: __, ...members } = isRecord(body) ? body : {};
    request.body = { ...members, query: text };
  }
  try {
    return handle();
  } finally {
    raw.url = url;
  }
}

/** The registered documents of accounts: in memory, and read from the accounts area once when they are not. */
import { LRUCache } from 'lru-cache';
import { isOutage } from '../../schema/errors.ts';
import { queryAsPlatform, type SubgraphClient } from '../../schema/subgraph-client.ts';

export interface RegisteredDocuments {
  /**
   * The text of an account's document; null when the account has not registered it. Rejects with upstream_unavailable when the
   * accounts area is needed and unavailable.
   * @param sha256 of the text in hex
   */
  find(accountId: string, sha256: string): Promise<string | null>;
}

interface Known {
  readonly text: string;
  /** performance.now() of the last read that returned the text. */
  readonly readAt: number;
  /** performance.now() of the last attempt to read it. */
  readonly triedAt: number;
}

/** Documents in memory, and the total characters of their texts. */
const bounds = { max: 20_000, maxSize: 40_000_000 };
/** A document is read again after this time: it may have been deleted. */
const lifeMs = 5_000;
/** A document that the area did not confirm for this long is not used, also while the area is unavailable. */
const outageLifeMs = 15 * 60_000;
/** How long a request waits for a document to be read again. */
const refreshTimeoutMs = 1_000;
/** Separate, so that guessed ids do not evict documents; short, so that a new registration takes effect within seconds. */
const missing = { max: 10_000 };
const missingLifeMs = 3_000;

const query =
  'query ($accountId: ID!, $documentId: String!) { registeredDocumentText(accountId: $accountId, documentId: $documentId) }';

export function createRegisteredDocuments(accounts: Pick<SubgraphClient, 'query'>): RegisteredDocuments {
  const known = new LRUCache<string, Known>(bounds);
  const unknown = new LRUCache<string, number>(missing);
  const reading = new Map<string, Promise<string | null>>();

  const keep = (key: string, document: Known): void => void known.set(key, document, { size: document.text.length + 1 });

  async function read(key: string, accountId: string, sha256: string): Promise<string | null> {
    const readAt = performance.now();
    const last = known.get(key);
    const isUsable = last !== undefined && readAt - last.readAt < outageLifeMs;
    try {
      const documentId = `sha256:${sha256}`;
      const deadlineMs = isUsable ? readAt + refreshTimeoutMs : undefined;
      const data = await queryAsPlatform(accounts, 'registered-document', query, { accountId, documentId }, deadlineMs);
      const text = data['registeredDocumentText'];
      if (typeof text === 'string') {
        keep(key, { text, readAt, triedAt: readAt });
        return text;
      }
      known.delete(key);
      unknown.set(key, readAt);
      return null;
    } catch (error) {
      if (!isUsable || !isOutage(error)) throw error;
      // the next requests do not wait for the area again
      keep(key, { ...last, triedAt: performance.now() });
      return last.text;
    } finally {
      reading.delete(key);
    }
  }

  return {
    async find(accountId, sha256) {
      const key = `${accountId} ${sha256}`;
      const last = known.get(key);
      const now = performance.now();
      if (last !== undefined && now - last.triedAt < lifeMs) return last.text;
      if (now - (unknown.get(key) ?? -Infinity) < missingLifeMs) return null;
      const running = reading.get(key) ?? read(key, accountId, sha256);
      reading.set(key, running);
      return running;
    },
  };
}

/** Where the files of images are: a local folder, or a bucket with the S3 API. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AwsClient } from 'aws4fetch';
import type { Logger } from 'pino';
import { hasErrorCode } from '../error-code.ts';
import { Problem } from '../../schema/errors.ts';

export interface ImageStore {
  /** Writes a file completely or not at all. */
  write(name: string, bytes: Buffer): Promise<void>;
  /** Null if there is no such file. */
  read(name: string): Promise<Buffer | null>;
  /** Removes files; those that do not exist are ignored. */
  remove(names: readonly string[]): Promise<void>;
}

/** Opens a folder as a store. Names have no `/`; the first characters of their random part select one of many folders. */
export function openLocalStore(folder: string): ImageStore {
  const pathOf = (name: string): string => join(folder, name.slice(name.indexOf('-') + 1).slice(0, 2), name);
  return {
    async write(name, bytes) {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${randomUUID()}`;
      const file = await open(temporary, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(temporary, path);
    },
    async read(name) {
      try {
        return await readFile(pathOf(name));
      } catch (error) {
        if (hasErrorCode(error, 'ENOENT')) return null;
        throw error;
      }
    },
    async remove(names) {
      for (const name of names) await rm(pathOf(name), { force: true });
    },
  };
}

export interface BucketOptions {
  /** URL of the bucket: `https://s3.eu-central-1.amazonaws.com/crests`. */
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Time for a request; default: 5 s. */
  readonly timeoutMs?: number;
}

/** Opens a bucket with the S3 API as a store. */
export function openBucket({ url, region, accessKeyId, secretAccessKey, timeoutMs = 5_000 }: BucketOptions): ImageStore {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });
  const base = url.replace(/\/$/, '');
  async function request(method: 'DELETE' | 'GET' | 'PUT', name: string, body?: Buffer): Promise<Response> {
    const url = `${base}/${name}`;
    const signed = await client.sign(url, {
      method,
      ...(body && { body: new Uint8Array(body), headers: { 'content-type': 'image/webp' } }),
    });
    // not in the signed request: a signal that only a Request refers to can be collected before it fires
    const response = await fetch(signed, { signal: AbortSignal.timeout(timeoutMs) });
    const isMissing = response.status === 404 && method !== 'PUT';
    if (response.ok || isMissing) return response;
    throw new Error(`the bucket responded to ${method} with status ${response.status}`);
  }
  return {
    async write(name, bytes) {
      await request('PUT', name, bytes);
    },
    async read(name) {
      const response = await request('GET', name);
      return response.ok ? Buffer.from(await response.arrayBuffer()) : null;
    },
    async remove(names) {
      for (const name of names) await request('DELETE', name);
    },
  };
}

/** The store with errors as Problem upstream_unavailable (503). The log has their causes, such as a full disk. */
export function guardStore(store: ImageStore, log: Logger): ImageStore {
  const guarded = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (err) {
      log.error({ err }, 'the store of images is not available');
      throw new Problem('upstream_unavailable', 'The store of images is not available. Try again.');
    }
  };
  return {
    write: (name, bytes) => guarded(store.write(name, bytes)),
    read: (name) => guarded(store.read(name)),
    remove: (names) => guarded(store.remove(names)),
  };
}

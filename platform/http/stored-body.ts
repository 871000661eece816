/** The body of a response that is sent many times: it is compressed once per encoding. */
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import acceptNegotiator from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

const encodings = ['br', 'gzip'] as const;
type Encoding = (typeof encodings)[number];

/** Smaller bodies do not gain from compression. */
const compressedMin = 1024;

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compress: Readonly<Record<Encoding, (bytes: Buffer, quality: number) => Promise<Buffer>>> = {
  br: (bytes, quality) =>
    compressBrotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes, quality) => compressGzip(bytes, { level: Math.min(9, quality) }),
};

const isEncoding = (text: string | null): text is Encoding => encodings.some((each) => each === text);

export interface StoredBody {
  /** Sends it in the encoding that the request prefers. Status, content type and `Vary` are set before. */
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** @param quality of the compression: 5 for bodies that change, 9 for those that stay as long as the process */
export function storeBody(body: string, quality: 5 | 9): StoredBody {
  const bytes = Buffer.from(body);
  const compressed = new Map<Encoding, Promise<Buffer>>();

  function inEncoding(encoding: Encoding): Promise<Buffer> {
    const made = compressed.get(encoding) ?? compress[encoding](bytes, quality);
    compressed.set(encoding, made);
    return made;
  }

  return {
    async send({ headers }, reply) {
      const accepted = acceptNegotiator.negotiate(headers['accept-encoding'] ?? '', [...encodings, 'identity']);
      if (bytes.length < compressedMin || !isEncoding(accepted)) return reply.send(bytes);
      return reply.header('content-encoding', accepted).send(await inEncoding(accepted));
    },
  };
}

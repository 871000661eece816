/** A call to a URL of a user failed. */

/**
 * - `ADDRESS_DENIED`: the URL or an address of its host may not be called. No byte was sent.
 * - `DNS`: the host has no address, or the name servers did not respond
 * - `CONNECT`: no connection
 * - `TLS`: the handshake failed, or the certificate is not valid for the host
 * - `TIMEOUT`: no complete response within the time limit
 * - `RESPONSE`: the connection ended before the response, or the response is not valid HTTP
 */
export type OutgoingErrorKind = 'ADDRESS_DENIED' | 'DNS' | 'CONNECT' | 'TLS' | 'TIMEOUT' | 'RESPONSE';

/** The message is for the user who set the URL: it contains no address and nothing of this network. */
export class OutgoingError extends Error {
  readonly kind: OutgoingErrorKind;

  constructor(kind: OutgoingErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutgoingError';
    this.kind = kind;
  }
}

/** The code of a Node.js error in parentheses, such as ` (ECONNREFUSED)`; otherwise an empty text. */
export const codeSuffix = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';

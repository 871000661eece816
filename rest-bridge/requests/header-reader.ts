/** Reads the headers that are variables of an operation: If-Match, If-None-Match and Idempotency-Key. */
import { Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { RawRequest, Variables } from './request-reader.ts';

/** The patterns of headers: visible ASCII characters, with spaces between them except in an idempotency key. */
export const headerPatterns = {
  idempotencyKey: String.raw`^[\x21-\x7e]{1,255}$`,
  other: String.raw`^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$`,
};
const idempotencyKeyPattern = new RegExp(headerPatterns.idempotencyKey);
const otherPattern = new RegExp(headerPatterns.other);

export function createHeaderReader(
  operation: Operation,
): (headers: RawRequest['headers'], variables: Variables, violations: Violation[]) => void {
  const inHeader = operation.variables.filter(({ place }) => place === 'header');
  const isWrite = operation.method !== 'GET';
  const ignoresIfMatch = isWrite && !inHeader.some(({ name }) => name === 'ifMatch');
  const ignoresIdempotencyKey = isWrite && !inHeader.some(({ name }) => name === 'idempotencyKey');

  return (headers, variables, violations) => {
    for (const { name, wireName, required } of inHeader) {
      const value = headers[wireName.toLowerCase()];
      const text = Array.isArray(value) ? value.join(', ') : value;
      if (text === undefined) {
        if (!required) continue;
        const detail =
          'This request requires an If-Match header. Send the ETag or the version you last read, or * to overwrite any version.';
        throw new Problem('precondition_required', detail);
      }
      if (!(name === 'idempotencyKey' ? idempotencyKeyPattern : otherPattern).test(text))
        violations.push({ parameter: wireName, code: 'format', detail: 'must be 1 to 255 visible ASCII characters' });
      else variables[name] = text;
    }
    if (ignoresIfMatch && headers['if-match'] !== undefined)
      violations.push({ parameter: 'If-Match', code: 'unsupported', detail: 'is not supported by this operation' });
    if (ignoresIdempotencyKey && headers['idempotency-key'] !== undefined) {
      const detail = ignoresIfMatch
        ? 'is not supported by this operation'
        : 'is not supported by this operation; omit it, and send the ETag as `If-Match`, so that a repeated request changes nothing';
      violations.push({ parameter: 'Idempotency-Key', code: 'unsupported', detail });
    }
  };
}

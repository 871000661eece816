/** Whether a client accepts JSON (RFC 9110 section 12.5.1). */
import { Problem } from '../../schema/errors.ts';

/** From the least to the most specific range. */
const ranges = ['*/*', 'application/*', 'application/json'];

/** Whether an Accept header admits application/json: the most specific range decides. An absent header admits everything. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '*/*' || accept === 'application/json' || accept.trim() === '') return true;
  let specificity = -1;
  let isAccepted = false;
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim());
    const found = ranges.indexOf(range);
    if (found < specificity || found === -1) continue;
    specificity = found;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    isAccepted = weight === undefined || Number(weight.slice(2)) > 0;
  }
  return isAccepted;
}

/** The problem of a request that accepts no format of the REST API; null when it accepts JSON. */
export function unacceptable(accept: string | undefined): Problem | null {
  if (acceptsJson(accept)) return null;
  return new Problem(
    'not_acceptable',
    'Responses are `application/json`. Send `Accept: application/json`, or no `Accept` header.',
    {
      available: ['application/json'],
    },
  );
}

/** Signed messages that check a receiver of webhooks: valid, repeated, altered, old, unsigned, and signed with two secrets. */
import { Webhook } from 'standardwebhooks';

export const receiverSecret = 'whsec_dGhpcyBpcyBhIHNlY3JldCBmb3IgdGhlIHRlc3Rz';
const formerSecret = 'whsec_YW5vdGhlciBzZWNyZXQsIGJlZm9yZSB0aGUgcm90YXRpb24=';

/** The types that a correct receiver prints, in this order. */
export const printedTypes = ['match.finished', 'season.updated'];

/** The responses of a correct receiver. */
export const correctStatuses = { valid: 204, repeated: 204, altered: 401, old: 401, unsigned: 401, rotated: 204 };

interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function signed(id: string, type: string, { at = new Date(), secrets = [receiverSecret] } = {}): Message {
  const body = JSON.stringify({ id, type, timestamp: at.toISOString(), apiVersion: 1, sequence: 1, data: null, name: 'Łódź' });
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, at, body));
  const timestamp = String(Math.floor(at.getTime() / 1000));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signatures.join(' '),
    },
  };
}

async function send(url: string, { body, headers }: Message): Promise<number> {
  const response = await fetch(url, { method: 'POST', body, headers });
  await response.text();
  return response.status;
}

/** Sends the messages and returns the status of each response. */
export async function exchangeMessages(url: string): Promise<Record<keyof typeof correctStatuses, number>> {
  const valid = signed('0197a2c4-6a10-7c44-8b1d-52f0c7d9e310', 'match.finished');
  const rotated = signed('0197a2c4-6a10-7c44-8b1d-52f0c7d9e311', 'season.updated', { secrets: [formerSecret, receiverSecret] });
  const old = signed('0197a2c4-6a10-7c44-8b1d-52f0c7d9e312', 'match.finished', { at: new Date(Date.now() - 10 * 60_000) });
  return {
    valid: await send(url, valid),
    repeated: await send(url, valid),
    altered: await send(url, { ...valid, body: valid.body.replace('match.finished', 'match.deleted') }),
    old: await send(url, old),
    unsigned: await send(url, { body: valid.body, headers: { 'content-type': 'application/json' } }),
    rotated: await send(url, rotated),
  };
}

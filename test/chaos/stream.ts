/** A client of the event stream that connects again after its last event, as the guide describes. */
import { setTimeout as sleep } from 'node:timers/promises';

const retryMs = 500;

interface Received {
  readonly id: string;
  readonly sequence: number;
}

/** Reads one connection to its end. Returns the position after the last event. */
async function readStream(
  response: Response,
  position: string | null,
  onEvent: (event: Received) => void,
): Promise<string | null> {
  const decoder = new TextDecoder();
  let rest = '';
  let last = position;
  try {
    for await (const bytes of response.body ?? []) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
      rest = lines.pop() ?? '';
      for (const message of lines) {
        const fields = new Map(
          message.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
        );
        const data = fields.get('data');
        // Cast: the item of the feed that the API documents.
        if (data !== undefined) onEvent(JSON.parse(data) as Received);
        last = fields.get('id') ?? last;
      }
    }
  } catch {
    // the connection was lost: the next one continues at the position
  }
  return last;
}

/** Adds each received event to `events` until the signal is aborted. */
export async function followEvents(
  addresses: readonly string[],
  key: string,
  events: Received[],
  signal: AbortSignal,
): Promise<void> {
  const isEnded = (): boolean => signal.aborted;
  let position: string | null = null;
  for (let turn = 0; !isEnded(); turn += 1) {
    const headers = { 'x-api-key': key, ...(position !== null && { 'last-event-id': position }) };
    const address = addresses[turn % addresses.length] ?? '';
    const response = await fetch(`${address}/api/v1/events/stream?area=ORGANIZATIONS`, { headers, signal }).catch(() => null);
    if (response?.ok === true) position = await readStream(response, position, (event) => events.push(event));
    else await response?.body?.cancel();
    if (!isEnded()) await sleep(retryMs);
  }
}

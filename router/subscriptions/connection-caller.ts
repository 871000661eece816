/** The caller of a WebSocket: the headers of its upgrade request, and the keys in `connection_init`, because browsers cannot set headers. */
import type { Caller } from '../../schema/entry-point.ts';

/** Adds the keys of the payload, which has the names of the headers in any case. Several distinct keys are rejected by admission. */
export function connectionCaller(caller: Caller, payload: Readonly<Record<string, unknown>> = {}): Caller {
  const found = new Set(caller.credentials);
  for (const [name, value] of Object.entries(payload)) {
    if (typeof value !== 'string') continue;
    const lower = name.toLowerCase();
    if (lower === 'x-api-key') found.add(value.trim());
    else if (lower === 'authorization') found.add(value.trim().replace(/^bearer(?:\s+|$)/i, ''));
  }
  return { ...caller, credentials: [...found] };
}

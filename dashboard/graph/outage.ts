/** Whether the platform does not respond: set when a query or the code of a screen fails to load, reset by any response. */
import { createFlag } from './flag.ts';

export const outage = createFlag();

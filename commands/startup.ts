/** The start of this process. Imported first, so that signals are handled while the platform is loaded. */
import { createStartup } from '../platform/startup.ts';

export const startup = createStartup(process.stdout.isTTY);

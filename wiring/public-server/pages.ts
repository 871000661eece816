/** The pages of the dashboard and of the explorer. */
import { join } from 'node:path';
import { createPages } from '../../router/pages/dashboard.ts';

/** The dashboard, built by `npm run dashboard`. */
export const pages = createPages(join(import.meta.dirname, '../../dashboard/dist'));

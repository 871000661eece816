/** The data mode in the URL. The screens with test data pass it on to each other, so that a link opens the same data for a colleague. */
import { retainSearchParams } from '@tanstack/react-router';

export const modeSearch = {
  /** Absent: live. */
  mode: ['LIVE', 'TEST'],
} as const;

export const retainMode = { middlewares: [retainSearchParams<{ readonly mode?: 'LIVE' | 'TEST' | undefined }>(['mode'])] };

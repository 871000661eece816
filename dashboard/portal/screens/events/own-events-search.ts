/** The search parameters of the events of the account. */
import { eventSearch } from '../../../components/events/event-search.ts';
import type { ListSearch } from '../../../components/list-search.ts';
import { modeSearch } from '../../session/mode-search.ts';

export const ownEventsSearch = {
  ...eventSearch,
  ...modeSearch,
  /** Absent: the pages of the log. */
  view: ['LIVE'],
} as const;

export type OwnEventsSearch = ListSearch<typeof ownEventsSearch>;

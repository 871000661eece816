/** The columns of the event explorer, for the pages of the log and for the live tail. */
import type { Column } from '../../components/data-table.tsx';
import { eventColumns, sequenceColumn, type ResourceName } from '../../components/events/event-table.tsx';
import { AccountLink } from '../../components/links.tsx';
import { ResourceLink } from '../../components/resource-link.tsx';
import type { LogEvent } from './event-log.ts';

export const LinkedResource: ResourceName = ({ type, id }) => <ResourceLink type={type} id={id} name={id} />;

export const columns: readonly Column<LogEvent>[] = [
  ...eventColumns(LinkedResource),
  { title: 'Account', cell: ({ account }) => (account === null ? '–' : <AccountLink {...account} />) },
  sequenceColumn,
];

/** The audit log: time, actor, action, resource, network and reason of each change. */
import { Button, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useGraphQuery } from '../../graph/operations.ts';
import { QueryResult } from '../../components/query-result.tsx';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { NoMatches } from '../../components/no-matches.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { KeyLink } from '../../components/links.tsx';
import { Screen } from '../../components/screen.tsx';
import { auditQuery, type AuditEntry } from './audit-query.ts';
import { ResourceName } from './resource-name.tsx';
import { actionLabel, actorLabel, resourceLabel } from '../../components/audit-labels.ts';
import { AuditEntryDrawer } from './audit-entry-drawer.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { filterOf } from './audit-search.ts';

const columns: readonly Column<AuditEntry>[] = [
  { title: 'Time', cell: ({ at }) => <Timestamp at={at} seconds /> },
  { title: 'Actor', cell: ({ actor }) => <Actor actor={actor} /> },
  { title: 'Action', cell: ({ action }) => actionLabel(action) },
  { title: 'Resource', cell: (entry) => <Resource {...entry} /> },
  { title: 'Network', cell: ({ actor }) => actor.address ?? '–' },
  {
    title: 'Reason',
    cell: ({ reason }) => (
      <Text inherit maw={260} lineClamp={2}>
        {reason}
      </Text>
    ),
  },
];

const Actor = ({ actor }: Pick<AuditEntry, 'actor'>) =>
  actor.key === null ? actorLabel(actor) : <KeyLink id={actor.key.id} name={actor.key.name} />;

const Resource = (entry: AuditEntry) => (
  <>
    {resourceLabel(entry.resourceType)} <ResourceName {...entry} />
  </>
);

function changeCount({ changes: { length } }: AuditEntry): string {
  if (length === 0) return 'Details';
  return length === 1 ? '1 change' : `${length} changes`;
}

const route = getRouteApi('/signed-in/audit');

export function Audit() {
  const { after = null, ...search } = route.useSearch();
  const filter = filterOf(search);
  const entries = useGraphQuery(auditQuery, { first: 50, after, filter });
  const [selected, setSelected] = useState<AuditEntry | null>(null);
  const details: Column<AuditEntry> = {
    title: 'Details',
    cell: (entry) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setSelected(entry)}
        aria-label={`Details of ${actionLabel(entry.action)}, ${resourceLabel(entry.resourceType)}`}
      >
        {changeCount(entry)}
      </Button>
    ),
  };
  return (
    <Screen
      title="Audit log"
      description="All changes by administrators, newest first. Entries cannot be edited or deleted."
      actions={<AuditExport filter={filter} />}
    >
      <div>
        <AuditFilters search={search} />
        <QueryResult query={entries} name="audit log">
          {({ auditEntries: page }) => (
            <DataTable
              label="Audit log"
              columns={[...columns, details]}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={<NoMatches title="No matching entries" />}
            />
          )}
        </QueryResult>
      </div>
      <AuditEntryDrawer entry={selected} close={() => setSelected(null)} />
    </Screen>
  );
}

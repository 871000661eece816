/** The audit log: who did what, on what, from where and why. */
import { Button, Code, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useAsk } from '../../graph/ask.ts';
import { Answered } from '../../parts/answered.tsx';
import { DataTable, type Column } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { ResourceLink } from '../../parts/resource-link.tsx';
import { Screen } from '../../parts/screen.tsx';
import { said } from '../../parts/status-badge.tsx';
import { auditQuery, whoDid, type AuditEntry } from './audit-query.tsx';
import { AuditEntryDrawer } from './entry-drawer.tsx';
import { AuditExport } from './audit-export.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { filterOf } from './audit-search.ts';

const columns: readonly Column<AuditEntry>[] = [
  { title: 'When', cell: ({ at }) => <Moment at={at} seconds /> },
  { title: 'Who', cell: whoDid },
  { title: 'What', cell: ({ action }) => said(action) },
  { title: 'On what', cell: (entry) => <Resource {...entry} /> },
  { title: 'From', cell: ({ actor }) => actor.address ?? '–' },
  {
    title: 'Why',
    cell: ({ reason }) => (
      <Text inherit maw={260} lineClamp={2}>
        {reason}
      </Text>
    ),
  },
];

const Resource = ({ resourceType, resourceId }: AuditEntry) => (
  <>
    {said(resourceType)}{' '}
    <Code>
      <ResourceLink type={resourceType} id={resourceId} name={resourceId.slice(-12)} />
    </Code>
  </>
);

const route = getRouteApi('/signed-in/audit');

export function Audit() {
  const { after = null, ...search } = route.useSearch();
  const filter = filterOf(search);
  const entries = useAsk(auditQuery, { first: 50, after, filter });
  const [shown, setShown] = useState<AuditEntry | null>(null);
  const details: Column<AuditEntry> = {
    title: 'Details',
    cell: (entry) => (
      <Button
        size="compact-sm"
        variant="default"
        onClick={() => setShown(entry)}
        aria-label={`Details of ${said(entry.action)}, ${said(entry.resourceType)}`}
      >
        {entry.changes.length === 0 ? 'Details' : `${entry.changes.length} changed`}
      </Button>
    ),
  };
  return (
    <Screen
      title="Audit"
      says="What administrators did in every area, the latest first. Nobody can change it."
      actions={<AuditExport filter={filter} />}
    >
      <div>
        <AuditFilters search={search} />
        <Answered of={entries} name="the audit log">
          {({ auditEntries: page }) => (
            <DataTable
              label="Audit log"
              columns={[...columns, details]}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              pageInfo={page?.pageInfo}
              empty={<Empty title="Nothing was done">Nobody did anything that these filters let through.</Empty>}
            />
          )}
        </Answered>
      </div>
      <AuditEntryDrawer entry={shown} close={() => setShown(null)} />
    </Screen>
  );
}

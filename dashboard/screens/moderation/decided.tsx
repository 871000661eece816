/** Past decisions of administrators by kind: what was decided, by whom, when and why, with the opposite decision where there is one. */
import { Button, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { actionLabel, actorLabel } from '../../components/audit-labels.ts';
import { DataTable, type Column } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { AthleteLink, OrganizationLink } from '../../components/links.tsx';
import { ChoiceFilter, ListFilters } from '../../components/list-filters.tsx';
import { useListState } from '../../components/list-search.ts';
import { NoMatches } from '../../components/no-matches.tsx';
import { QueryResult } from '../../components/query-result.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { useGraphQuery } from '../../graph/operations.ts';
import { decidedKinds, decisionsQuery, kindOf, undoOf, type PastDecision } from './decided-kinds.ts';
import { DecisionDialog, type Subject } from './decision-dialog.tsx';
import type { Decision } from './decisions.ts';

interface DecidedProps {
  /** The cursor of the page. */
  readonly after: string | null;
  /** The kind of resource. */
  readonly view: string | undefined;
  readonly action: string | undefined;
  readonly canDecide: boolean;
}

export function Decided({ after, view, action, canDecide }: DecidedProps) {
  const { set } = useListState();
  const kind = kindOf(view);
  const filter = { area: kind.area, resourceType: kind.resourceType, ...(action !== undefined && { action }) };
  const query = useGraphQuery(decisionsQuery, { after, filter });
  return (
    <>
      <ListFilters>
        <Select
          label="Kind"
          data={decidedKinds.map(({ name, label }) => ({ value: name, label }))}
          value={kind.name}
          allowDeselect={false}
          onChange={(name) => set({ view: name ?? undefined, action: undefined })}
          w={{ base: '100%', xs: 220 }}
        />
        <ChoiceFilter
          name="action"
          label="Decision"
          value={action}
          choices={kind.actions.map((value) => ({ value, label: actionLabel(value) }))}
        />
      </ListFilters>
      <QueryResult query={query} name="decisions">
        {({ auditEntries: page }) => (
          <DecisionTable
            rows={page?.nodes ?? []}
            pageInfo={page?.pageInfo}
            isFiltered={action !== undefined}
            canDecide={canDecide}
          />
        )}
      </QueryResult>
    </>
  );
}

const nameOf = ({ organization, athlete, replay, resourceId }: PastDecision): string =>
  organization?.name ?? athlete?.displayName ?? replay?.title ?? resourceId;

function Resource(decision: PastDecision) {
  const { organization, athlete } = decision;
  if (organization !== null) return <OrganizationLink {...organization} />;
  if (athlete !== null) return <AthleteLink id={athlete.id} name={athlete.displayName} />;
  return <span>{nameOf(decision)}</span>;
}

const columns: readonly Column<PastDecision>[] = [
  { title: 'Time', cell: ({ at }) => <Timestamp at={at} /> },
  { title: 'Resource', cell: (decision) => <Resource {...decision} /> },
  { title: 'Decision', cell: ({ action }) => actionLabel(action) },
  { title: 'Administrator', cell: ({ actor }) => actorLabel(actor) },
  {
    title: 'Reason',
    cell: ({ reason }) => (
      <Text inherit miw={160} maw={420} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {reason ?? '–'}
      </Text>
    ),
  },
];

interface DecisionTableProps {
  readonly rows: readonly PastDecision[];
  readonly pageInfo: { readonly nextCursor: string | null } | undefined;
  readonly isFiltered: boolean;
  readonly canDecide: boolean;
}

function DecisionTable({ rows, pageInfo, isFiltered, canDecide }: DecisionTableProps) {
  const [pending, setPending] = useState<Subject & { readonly decision: Decision | null }>({ id: '', name: '', decision: null });
  const close = (): void => setPending((previous) => ({ ...previous, decision: null }));
  const undo: Column<PastDecision> = {
    title: 'Undo',
    cell: (row) => {
      const decision = undoOf(row, rows);
      if (decision === null) return '–';
      return (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`${decision.verb} ${nameOf(row)}`}
          onClick={() => setPending({ id: row.resourceId, name: nameOf(row), decision })}
        >
          {decision.verb}
        </Button>
      );
    },
  };
  return (
    <>
      <DataTable
        label="Decisions"
        columns={canDecide ? [...columns, undo] : columns}
        rows={rows}
        rowKey={({ id }) => id}
        pageInfo={pageInfo}
        empty={isFiltered ? <NoMatches title="No matching decisions" /> : <EmptyState title="No decisions yet" />}
      />
      <DecisionDialog {...pending} close={close} onSuccess={close} />
    </>
  );
}

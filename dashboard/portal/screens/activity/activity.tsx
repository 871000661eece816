/** The activity of the account: who changed which key, member, invitation, webhook endpoint or request, newest first. */
import { Code, Group, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { csvOf, csvType, type CsvColumns } from '../../../components/csv.ts';
import { DataTable, type Column } from '../../../components/data-table.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ChoiceFilter, IdFilter, ListFilters } from '../../../components/list-filters.tsx';
import { ListExport } from '../../../components/list-export.tsx';
import { hasFilter } from '../../../components/list-search.ts';
import { NoMatches } from '../../../components/no-matches.tsx';
import { QueryResult } from '../../../components/query-result.tsx';
import { Screen } from '../../../components/screen.tsx';
import { Timestamp } from '../../../components/timestamp.tsx';
import { runOperation, useGraphQuery } from '../../../graph/operations.ts';
import type { AccountActivityFilter } from '../../generated/graphql.ts';
import { actionText, activityQuery, actorText, changedFieldsOf, resourceTypeTexts, type Change } from './activity-query.ts';
import { activityFilterOf, resourceTypes } from './activity-search.ts';
import { ChangedResource } from './changed-resource.tsx';

const typeOptions = resourceTypes.map((value) => ({ value, label: resourceTypeTexts[value] }));

const columns: readonly Column<Change>[] = [
  { title: 'Time', cell: ({ at }) => <Timestamp at={at} seconds /> },
  {
    title: 'Actor',
    cell: (change) => (
      <Text inherit miw={110} style={{ overflowWrap: 'anywhere' }}>
        {actorText(change)}
      </Text>
    ),
  },
  { title: 'Action', cell: actionText },
  { title: 'Resource', cell: (change) => <ChangedResource change={change} /> },
  { title: 'Changed members', cell: (change) => <ChangedFields names={changedFieldsOf(change)} /> },
  {
    title: 'Reason',
    cell: ({ reason }) => (
      <Text inherit maw={260} style={{ overflowWrap: 'anywhere' }}>
        {reason}
      </Text>
    ),
  },
];

const ChangedFields = ({ names }: { readonly names: readonly string[] }) => (
  <Group gap={4} maw={280} miw={120}>
    {names.map((name) => (
      <Code key={name}>{name}</Code>
    ))}
  </Group>
);

const route = getRouteApi('/signed-in/activity');

export function Activity() {
  const { after = null, ...search } = route.useSearch();
  const filter = activityFilterOf(search);
  const activity = useGraphQuery(activityQuery, { first: 50, after, filter });
  return (
    <Screen
      title="Activity"
      description="Changes of the account, its keys, members, invitations, webhook endpoints and requests, newest first."
      actions={<ActivityExport filter={filter} />}
    >
      <div>
        <ListFilters>
          <ChoiceFilter name="type" label="Resource type" value={search.type} choices={typeOptions} />
          <IdFilter name="resource" label="Resource ID" value={search.resource} />
        </ListFilters>
        <QueryResult query={activity} name="activity">
          {({ accountActivity: page }) => (
            <DataTable
              label="Activity"
              columns={columns}
              rows={page?.nodes ?? []}
              rowKey={({ id }) => id}
              {...(page && { pageInfo: page.pageInfo })}
              empty={hasFilter(filter) ? <NoMatches title="No matching changes" /> : <EmptyState title="No changes yet" />}
            />
          )}
        </QueryResult>
      </div>
    </Screen>
  );
}

const csvColumns: CsvColumns<Change> = [
  ['id', ({ id }) => id],
  ['at', ({ at }) => at],
  ['actorKind', ({ actorKind }) => actorKind],
  ['actorName', ({ actorName }) => actorName],
  ['action', ({ action }) => action],
  ['resourceType', ({ resourceType }) => resourceType],
  ['resourceId', ({ resourceId }) => resourceId],
  ['resourceName', ({ resourceName }) => resourceName],
  ['changedFields', ({ changedFields }) => changedFields.join(' ')],
  ['reason', ({ reason }) => reason],
];

const formats = [
  { name: 'csv', label: 'CSV', type: csvType, textOf: (rows: readonly Change[]) => csvOf(csvColumns, rows) },
] as const;

const ActivityExport = ({ filter }: { readonly filter: AccountActivityFilter }) => (
  <ListExport
    title="Export activity"
    fileName="activity"
    one="change"
    many="changes"
    advice="To export other changes, filter by the type of the resource."
    formats={formats}
    readPage={async (after, signal) =>
      (await runOperation(activityQuery, { first: 100, after, filter }, { signal })).accountActivity
    }
  />
);

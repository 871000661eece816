/** What accounts reported, and what was answered. */
import { Stack, Text } from '@mantine/core';
import type { ReportFilter, ReportsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { AccountLink } from '../../parts/links.tsx';
import { ListTools } from '../../parts/list-tools.tsx';
import { Moment } from '../../parts/moment.tsx';
import { said, StatusBadge } from '../../parts/status-badge.tsx';
import type { Decision } from './decision-dialog.tsx';
import { chosenOf, WaitsFilter, type Waits } from './waits.tsx';
import { QueueTable } from './queue-table.tsx';
import type { QueueProps } from './queue-names.ts';

const reportsQuery = graphql(`
  query Reports($after: String, $filter: ReportFilter, $sort: ReportSort!) {
    reports(first: 50, after: $after, sort: $sort, filter: $filter) {
      nodes {
        id
        createdAt
        subjectType
        subjectId
        category
        text
        status
        note
        resolvedAt
        account {
          id
          name
        }
        athlete {
          displayName
          status
        }
        organization {
          name
          status
        }
        opportunity {
          title
        }
        replay {
          title
          status
        }
        competition {
          name
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const decisions: readonly Decision[] = [
  {
    verb: 'Uphold',
    said: 'Upheld',
    asks: 'What was found and done (the account reads it)',
    document: graphql(`
      mutation UpholdReport($id: ID!, $words: String) {
        upholdReport(id: $id, note: $words) {
          id
        }
      }
    `),
  },
  {
    verb: 'Dismiss',
    said: 'Dismissed',
    asks: 'Why nothing follows (the account reads it)',
    document: graphql(`
      mutation DismissReport($id: ID!, $words: String) {
        dismissReport(id: $id, note: $words) {
          id
        }
      }
    `),
  },
];

type Report = NonNullable<ReportsQuery['reports']>['nodes'][number];

/** The name of what a report is about; null for what is no more, or cannot be named. */
const subjectOf = ({ athlete, organization, opportunity, replay, competition }: Report): string | null =>
  athlete?.displayName ?? organization?.name ?? opportunity?.title ?? replay?.title ?? competition?.name ?? null;

const standingOf = ({ athlete, organization, replay }: Report): string | null =>
  athlete?.status ?? organization?.status ?? replay?.status ?? null;

const columns: readonly Column<Report>[] = [
  {
    title: 'About',
    cell: (report) => {
      const standing = standingOf(report);
      return (
        <>
          <Text inherit fw={600}>
            {subjectOf(report) ?? report.subjectId}
          </Text>
          <Text size="xs" c="dimmed">
            {said(report.subjectType)}
            {standing !== null && `, ${said(standing).toLowerCase()}`}
          </Text>
        </>
      );
    },
  },
  { title: 'What is wrong', cell: ({ category }) => said(category) },
  {
    title: 'In words',
    cell: ({ text, note, resolvedAt }) => (
      <Stack gap={4} miw={260} maw={480}>
        <Text inherit style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {resolvedAt !== null && (
          <Text size="xs" c="dimmed">
            Answered <Moment at={resolvedAt} />: {note ?? 'without words'}
          </Text>
        )}
      </Stack>
    ),
  },
  { title: 'Reported by', cell: ({ account: { id, name } }) => <AccountLink id={id} name={name} /> },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const waits: Waits<ReportFilter> = {
  open: { label: 'Open', filter: { status: ['OPEN'] } },
  upheld: { label: 'Upheld', filter: { status: ['UPHELD'] } },
  dismissed: { label: 'Dismissed', filter: { status: ['DISMISSED'] } },
};

export function ReportsQueue({ after, waits: chosen, mayDecide }: QueueProps) {
  const filter = chosenOf(waits, chosen);
  const isOpen = filter === waits['open']?.filter;
  const reports = useAsk(reportsQuery, { after, filter, sort: isOpen ? 'CREATED_ASC' : 'CREATED_DESC' });
  return (
    <>
      <ListTools>
        <WaitsFilter waits={waits} value={chosen} />
      </ListTools>
      <Answered of={reports} name="reports">
        {({ reports: page }) => (
          <QueueTable
            label="Reports"
            columns={columns}
            rows={page?.nodes ?? []}
            pageInfo={page?.pageInfo}
            about={(report) => ({ id: report.id, name: `the report about ${subjectOf(report) ?? report.subjectId}` })}
            decisions={({ status }) => (mayDecide && status === 'OPEN' ? decisions : [])}
          />
        )}
      </Answered>
    </>
  );
}

/** The moderation queue of reports: open, upheld and dismissed. */
import { Stack, Text } from '@mantine/core';
import { enumLabel } from '../../components/enum-label.ts';
import { AccountLink } from '../../components/links.tsx';
import { ResourceLink } from '../../components/resource-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { ReportQueueQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import type { Decision } from './decisions.ts';
import { createQueue } from './queue.tsx';
import { TitleCell } from './review-cells.tsx';

const reportsQuery = graphql(`
  query ReportQueue($after: String, $filter: ReportFilter, $sort: ReportSort!) {
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

const upholdMutation = graphql(`
  mutation UpholdReport($id: ID!, $text: String) {
    upholdReport(id: $id, note: $text) {
      id
    }
  }
`);
const dismissMutation = graphql(`
  mutation DismissReport($id: ID!, $text: String) {
    dismissReport(id: $id, note: $text) {
      id
    }
  }
`);

const decisions: readonly Decision[] = [
  { verb: 'Uphold', pastTense: 'Upheld', field: 'Findings and actions (visible to the reporter)', document: upholdMutation },
  { verb: 'Dismiss', pastTense: 'Dismissed', field: 'Reason (visible to the reporter)', document: dismissMutation },
];

type Report = NonNullable<ReportQueueQuery['reports']>['nodes'][number];

/** The name of the reported resource; its id when it was deleted or has no name. */
const subjectName = ({ subjectId, athlete, organization, opportunity, replay, competition }: Report): string =>
  athlete?.displayName ?? organization?.name ?? opportunity?.title ?? replay?.title ?? competition?.name ?? subjectId;

/** "Organization, suspended" */
function subjectDescription({ subjectType, athlete, organization, replay }: Report): string {
  const status = athlete?.status ?? organization?.status ?? replay?.status;
  return status === undefined ? enumLabel(subjectType) : `${enumLabel(subjectType)}, ${enumLabel(status).toLowerCase()}`;
}

const SubjectLink = (report: Report) =>
  report.athlete === null && report.organization === null ? (
    subjectName(report)
  ) : (
    <ResourceLink type={report.subjectType.toLowerCase()} id={report.subjectId} name={subjectName(report)} />
  );

const Description = ({ text, note, resolvedAt }: Report) => (
  <Stack gap={4} miw={220} maw={480}>
    <Text inherit style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {text}
    </Text>
    {resolvedAt !== null && (
      <Text size="xs" c="dimmed">
        Resolved <Timestamp at={resolvedAt} />: {note ?? 'no note'}
      </Text>
    )}
  </Stack>
);

export const ReportsQueue = createQueue({
  label: 'Reports',
  document: reportsQuery,
  views: [
    {
      name: 'open',
      label: 'Open',
      variablesOf: (after) => ({ after, filter: { status: ['OPEN'] }, sort: 'CREATED_ASC' }),
    },
    {
      name: 'upheld',
      label: 'Upheld',
      variablesOf: (after) => ({ after, filter: { status: ['UPHELD'] }, sort: 'CREATED_DESC' }),
    },
    {
      name: 'dismissed',
      label: 'Dismissed',
      variablesOf: (after) => ({ after, filter: { status: ['DISMISSED'] }, sort: 'CREATED_DESC' }),
    },
  ],
  pageOf: ({ reports }) => reports,
  columns: [
    {
      title: 'Subject',
      cell: (report) => <TitleCell title={<SubjectLink {...report} />} subtitle={subjectDescription(report)} />,
    },
    { title: 'Category', cell: ({ category }) => enumLabel(category) },
    { title: 'Description', cell: (report) => <Description {...report} /> },
    { title: 'Reported by', cell: ({ account: { id, name } }) => <AccountLink id={id} name={name} /> },
    { title: 'Reported', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  ],
  subjectOf: (report) => ({ id: report.id, name: `the report about ${subjectName(report)}` }),
  decisionsOf: ({ status }) => (status === 'OPEN' ? decisions : []),
});

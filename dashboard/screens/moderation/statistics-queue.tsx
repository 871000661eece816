/** The statistics that somebody reported and that nobody checked. */
import { Stack, Text } from '@mantine/core';
import type { WaitingStatisticsQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { said } from '../../parts/status-badge.tsx';
import type { Decision } from './decision-dialog.tsx';
import { QueueTable } from './queue-table.tsx';
import type { QueueProps } from './queue-names.ts';

const waitingQuery = graphql(`
  query WaitingStatistics($after: String) {
    athleteStatistics(
      first: 50
      after: $after
      sort: UPDATED_AT_ASC
      filter: { verified: false, source: [PROVIDER, SELF_REPORTED] }
    ) {
      nodes {
        id
        scope
        sport
        eventCode
        source
        asOf
        matchesPlayed
        minutesPlayed
        updatedAt
        athlete {
          id
          displayName
        }
        metrics {
          key
          title
          value
          unit
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
    verb: 'Verify',
    said: 'Verified',
    document: graphql(`
      mutation VerifyAthleteStatistics($id: ID!) {
        verifyAthleteStatistics(id: $id) {
          id
        }
      }
    `),
  },
  {
    verb: 'Reject',
    said: 'Rejected',
    asks: 'Why',
    document: graphql(`
      mutation RejectAthleteStatistics($id: ID!, $words: String) {
        rejectAthleteStatistics(id: $id, reason: $words) {
          id
        }
      }
    `),
  },
];

type Statistics = NonNullable<WaitingStatisticsQuery['athleteStatistics']>['nodes'][number];

const nameOf = ({ athlete, scope, sport }: Statistics): string =>
  `${athlete?.displayName ?? 'somebody'}, ${said(scope).toLowerCase()} in ${said(sport).toLowerCase()}`;

const columns: readonly Column<Statistics>[] = [
  {
    title: 'Athlete',
    cell: ({ athlete }) => (
      <Text inherit fw={600}>
        {athlete?.displayName ?? '–'}
      </Text>
    ),
  },
  { title: 'Sums up', cell: ({ scope, sport, eventCode }) => [said(scope), said(sport), eventCode].filter(Boolean).join(', ') },
  { title: 'Told by', cell: ({ source }) => (source === 'PROVIDER' ? 'A data provider' : 'The athlete’s side') },
  { title: 'Matches', cell: ({ matchesPlayed }) => matchesPlayed ?? '–', numeric: true },
  {
    title: 'Numbers',
    cell: ({ metrics }) => (
      <Stack gap={0} miw={180}>
        {metrics.map(({ key, title, value, unit }) => (
          <span key={key}>
            {title}: <strong>{value}</strong> {unit === 'COUNT' ? '' : unit.toLowerCase()}
          </span>
        ))}
      </Stack>
    ),
  },
  { title: 'Of', cell: ({ asOf }) => asOf ?? '–' },
  { title: 'Since', cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];

export function StatisticsQueue({ after, mayDecide }: QueueProps) {
  const waiting = useAsk(waitingQuery, { after });
  return (
    <Answered of={waiting} name="statistics that wait">
      {({ athleteStatistics: page }) => (
        <QueueTable
          label="Statistics that wait"
          columns={columns}
          rows={page?.nodes ?? []}
          pageInfo={page?.pageInfo}
          about={(row) => ({ id: row.id, name: nameOf(row) })}
          decisions={() => (mayDecide ? decisions : [])}
        />
      )}
    </Answered>
  );
}

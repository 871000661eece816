/** The moderation queue of athlete statistics: unverified values from data providers and from athletes. */
import { Stack } from '@mantine/core';
import { enumLabel } from '../../components/enum-label.ts';
import { AthleteLink } from '../../components/links.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { StatisticsQueueQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import { reject, verify } from './decisions.ts';
import { createQueue } from './queue.tsx';
import { TitleCell } from './review-cells.tsx';

const statisticsQuery = graphql(`
  query StatisticsQueue($after: String) {
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

const verifyMutation = graphql(`
  mutation VerifyAthleteStatistics($id: ID!) {
    verifyAthleteStatistics(id: $id) {
      id
    }
  }
`);
const rejectMutation = graphql(`
  mutation RejectAthleteStatistics($id: ID!, $text: String) {
    rejectAthleteStatistics(id: $id, reason: $text) {
      id
    }
  }
`);

const decisions = [verify(verifyMutation), reject(rejectMutation)];

type Statistics = NonNullable<StatisticsQueueQuery['athleteStatistics']>['nodes'][number];

const Metrics = ({ metrics }: Statistics) => (
  <Stack gap={0} miw={180}>
    {metrics.map(({ key, title, value, unit }) => (
      <span key={key}>
        {title}: <strong>{value}</strong> {unit === 'COUNT' ? '' : unit.toLowerCase()}
      </span>
    ))}
  </Stack>
);

export const StatisticsQueue = createQueue({
  label: 'Statistics',
  document: statisticsQuery,
  views: [{ name: 'all', label: 'Needs review', variablesOf: (after) => ({ after }) }],
  pageOf: ({ athleteStatistics }) => athleteStatistics,
  columns: [
    {
      title: 'Athlete',
      cell: ({ athlete }) => (
        <TitleCell title={athlete === null ? '–' : <AthleteLink id={athlete.id} name={athlete.displayName} />} />
      ),
    },
    {
      title: 'Scope',
      cell: ({ scope, sport, eventCode }) => [enumLabel(scope), enumLabel(sport), eventCode].filter(Boolean).join(', '),
    },
    { title: 'Source', cell: ({ source }) => (source === 'PROVIDER' ? 'Data provider' : 'Self-reported') },
    { title: 'Matches', cell: ({ matchesPlayed }) => matchesPlayed ?? '–', numeric: true },
    { title: 'Metrics', cell: (statistics) => <Metrics {...statistics} /> },
    { title: 'As of', cell: ({ asOf }) => asOf ?? '–' },
    { title: 'Updated', cell: ({ updatedAt }) => <Timestamp at={updatedAt} /> },
  ],
  subjectOf: ({ id, athlete, scope, sport }) => ({
    id,
    name: `${athlete?.displayName ?? 'Unknown athlete'}, ${enumLabel(scope).toLowerCase()} in ${enumLabel(sport).toLowerCase()}`,
  }),
  decisionsOf: () => decisions,
});

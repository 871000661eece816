/** The replays that show a minor and wait for a moderator to publish them. */
import { Text } from '@mantine/core';
import type { WaitingReplaysQuery } from '../../generated/graphql.ts';
import { useAsk } from '../../graph/ask.ts';
import { graphql } from '../../graph/graphql.ts';
import { Answered } from '../../parts/answered.tsx';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { said } from '../../parts/status-badge.tsx';
import type { Decision } from './decision-dialog.tsx';
import { OutsideLink } from './waits.tsx';
import { QueueTable } from './queue-table.tsx';
import type { QueueProps } from './queue-names.ts';

const waitingQuery = graphql(`
  query WaitingReplays($after: String) {
    replays(first: 50, after: $after, sort: CREATED_AT_ASC, filter: { status: [REVIEW] }) {
      nodes {
        id
        title
        kind
        url
        sport
        createdAt
        athlete {
          id
          displayName
          age
        }
        tags {
          id
          athlete {
            displayName
            age
          }
        }
        rights {
          holder
          expiresAt
        }
      }
      pageInfo {
        nextCursor
      }
    }
  }
`);

const publish: Decision = {
  verb: 'Publish',
  said: 'Published',
  document: graphql(`
    mutation PublishReplay($id: ID!) {
      publishReplay(id: $id) {
        id
      }
    }
  `),
};

export const takeDownReplay: Decision = {
  verb: 'Take down',
  said: 'Taken down',
  hides: 'The replay is taken down for good: nobody can publish it again.',
  document: graphql(`
    mutation TakeDownReplay($id: ID!, $words: String!) {
      takeDownReplay(id: $id, reason: $words) {
        id
      }
    }
  `),
};

type Replay = NonNullable<WaitingReplaysQuery['replays']>['nodes'][number];

interface Person {
  readonly displayName: string;
  readonly age: number | null;
}

const person = ({ displayName, age }: Person): string => (age === null ? displayName : `${displayName} (${age})`);

/** Who is in it, each once. */
const peopleOf = ({ athlete, tags }: Replay): string =>
  [...new Set([athlete, ...tags.map((tag) => tag.athlete)].flatMap((one) => (one === null ? [] : [person(one)])))].join(', ');

const columns: readonly Column<Replay>[] = [
  {
    title: 'Replay',
    cell: ({ title }) => (
      <Text inherit fw={600}>
        {title}
      </Text>
    ),
  },
  { title: 'Kind', cell: ({ kind, sport }) => [said(kind), sport && said(sport).toLowerCase()].filter(Boolean).join(', ') },
  { title: 'Who is in it', cell: peopleOf },
  { title: 'Film', cell: ({ url }) => <OutsideLink url={url} /> },
  { title: 'Rights', cell: ({ rights }) => rights?.holder ?? 'Nobody is named' },
  { title: 'Since', cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export function ReplaysQueue({ after, mayDecide }: QueueProps) {
  const waiting = useAsk(waitingQuery, { after });
  return (
    <Answered of={waiting} name="replays that wait">
      {({ replays: page }) => (
        <QueueTable
          label="Replays that wait"
          columns={columns}
          rows={page?.nodes ?? []}
          pageInfo={page?.pageInfo}
          about={({ id, title }) => ({ id, name: title })}
          decisions={() => (mayDecide ? [publish, takeDownReplay] : [])}
        />
      )}
    </Answered>
  );
}

/** The moderation queue of replays: videos of minors, which a moderator must publish. */
import { enumLabel } from '../../components/enum-label.ts';
import { ExternalLink } from '../../components/external-link.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import type { ReplayQueueQuery } from '../../generated/graphql.ts';
import { graphql } from '../../graph/graphql.ts';
import type { Decision } from './decisions.ts';
import { createQueue } from './queue.tsx';
import { TitleCell } from './review-cells.tsx';

const replaysQuery = graphql(`
  query ReplayQueue($after: String) {
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

const publishMutation = graphql(`
  mutation PublishReplay($id: ID!) {
    publishReplay(id: $id) {
      id
    }
  }
`);
const takeDownMutation = graphql(`
  mutation TakeDownReplay($id: ID!, $text: String!) {
    takeDownReplay(id: $id, reason: $text) {
      id
    }
  }
`);

const decisions: readonly Decision[] = [
  { verb: 'Publish', pastTense: 'Published', document: publishMutation },
  {
    verb: 'Take down',
    pastTense: 'Taken down',
    impact: 'The replay is removed permanently and cannot be published again.',
    document: takeDownMutation,
  },
];

type Replay = NonNullable<ReplayQueueQuery['replays']>['nodes'][number];

/** The athletes in the video with their ages, without duplicates. */
function athletesOf({ athlete, tags }: Replay): string {
  const athletes = [athlete, ...tags.map((tag) => tag.athlete)].filter((one) => one !== null);
  const names = athletes.map(({ displayName, age }) => (age === null ? displayName : `${displayName} (${age})`));
  return [...new Set(names)].join(', ');
}

export const ReplaysQueue = createQueue({
  label: 'Replays',
  document: replaysQuery,
  views: [{ name: 'all', label: 'Needs review', variablesOf: (after) => ({ after }) }],
  pageOf: ({ replays }) => replays,
  columns: [
    { title: 'Replay', cell: ({ title }) => <TitleCell title={title} /> },
    {
      title: 'Kind',
      cell: ({ kind, sport }) => (sport === null ? enumLabel(kind) : `${enumLabel(kind)}, ${enumLabel(sport).toLowerCase()}`),
    },
    { title: 'Athletes', cell: athletesOf },
    { title: 'Video', cell: ({ url }) => <ExternalLink url={url} /> },
    { title: 'Rights holder', cell: ({ rights }) => rights?.holder ?? 'Not specified' },
    { title: 'Created', cell: ({ createdAt }) => <Timestamp at={createdAt} /> },
  ],
  subjectOf: ({ id, title }) => ({ id, name: title }),
  decisionsOf: () => decisions,
});

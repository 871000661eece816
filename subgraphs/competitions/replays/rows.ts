/** The table rows of replays and their tags, and the resource description. */
import type { Page } from '../../../platform/lists/page.ts';
import { table } from '../../../platform/database/table.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { replayTransitions } from './rules.ts';
import type { ReplayKind, ReplayStatus, Sport } from '../generated/resolvers.ts';

export interface ReplayRow extends ResourceRow {
  /** The stored status. The API returns the current status: statusAt of rules.ts. */
  readonly status: ReplayStatus;
  readonly statusReason: string | null;
  /** Whether it is public: its own status is PUBLISHED, and its match is published. */
  readonly published: boolean;
  readonly matchId: string | null;
  readonly seasonId: string | null;
  readonly athleteId: string | null;
  /** The athlete, and the athletes of the tags. */
  readonly athleteIds: string[];
  /** The athletes that a moderator has reviewed. */
  readonly reviewedAthleteIds: string[];
  readonly sport: Sport | null;
  readonly title: string;
  readonly kind: ReplayKind;
  readonly url: string;
  readonly durationSeconds: number | null;
  readonly language: string | null;
  readonly rightsHolder: string | null;
  readonly territories: string[];
  readonly expiresAt: string | null;
}

export interface ReplayTagRow {
  readonly id: string;
  readonly replayId: string;
  readonly athleteId: string;
  readonly action: string | null;
  readonly atMs: number | null;
}

// prettier-ignore
export const replays = table<ReplayRow>('replay', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', statusReason: 'plain',
  published: 'plain', matchId: 'plain', seasonId: 'plain', athleteId: 'plain', athleteIds: 'plain', reviewedAthleteIds: 'plain', sport: 'plain',
  title: 'plain', kind: 'plain', url: 'plain', durationSeconds: 'plain', language: 'plain', rightsHolder: 'plain', territories: 'plain', expiresAt: 'plain',
});

export const replayResource: Resource<ReplayRow> = {
  type: 'replay',
  table: replays,
  created: 'replay.created',
  updated: 'replay.updated',
  deleted: 'replay.deleted',
  required: ['title', 'kind', 'url', 'territories'],
  isPublic: (row) => row.published,
  lifecycle: { initial: 'DRAFT', transitions: replayTransitions },
};

export type ReplayPage = Page<ReplayRow>;

/** The resource description of a replay that is created in review: it was to be published, and shows a minor. */
export const heldReplayResource: Resource<ReplayRow> = {
  ...replayResource,
  lifecycle: { initial: 'DRAFT', transitions: { publish: { ...replayTransitions.publish, to: 'REVIEW' } } },
};

// prettier-ignore
export const replayTags = table<ReplayTagRow>('replay_tag', {
  id: 'plain', replayId: 'plain', athleteId: 'plain', action: 'plain', atMs: 'plain',
});

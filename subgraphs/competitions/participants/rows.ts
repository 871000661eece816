/** The table row of a participant and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { ParticipantType } from '../generated/resolvers.ts';
import { isPublished, partFields, type SeasonPartRow } from '../season-parts/rows.ts';

export interface ParticipantRow extends SeasonPartRow {
  /** Null: a participant of all contests of the season. */
  readonly contestId: string | null;
  readonly type: ParticipantType;
  readonly teamId: string | null;
  readonly athleteId: string | null;
  /** Athletes of a pair or relay. */
  readonly memberIds: string[];
  readonly name: string | null;
  readonly representsTeamId: string | null;
  readonly representsName: string | null;
  readonly representsCountry: string | null;
  readonly groupName: string | null;
  /** A part of the group. */
  readonly division: string | null;
  readonly seed: number | null;
  readonly entry: string | null;
  readonly bracketPosition: number | null;
  readonly bib: string | null;
}

export const participantResource: Resource<ParticipantRow> = {
  type: 'participant',
  // prettier-ignore
  table: table<ParticipantRow>('participant', {
    ...partFields, contestId: 'plain', type: 'plain', teamId: 'plain', athleteId: 'plain', memberIds: 'plain', name: 'plain',
    representsTeamId: 'plain', representsName: 'plain', representsCountry: 'plain', groupName: 'plain', division: 'plain', seed: 'plain', entry: 'plain',
    bracketPosition: 'plain', bib: 'plain',
  }),
  created: 'participant.created',
  updated: 'participant.updated',
  deleted: 'participant.deleted',
  required: [],
  isPublic: isPublished,
};

export type ParticipantPage = Page<ParticipantRow>;

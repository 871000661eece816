/** The table row of a match action and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { MatchActionType } from '../generated/resolvers.ts';

export interface MatchActionRow extends ResourceRow {
  readonly published: boolean;
  readonly matchId: string;
  readonly type: MatchActionType;
  readonly period: number | null;
  readonly clockMs: number | null;
  readonly minute: number | null;
  readonly addedMinute: number | null;
  readonly participantId: string | null;
  readonly athleteId: string | null;
  readonly assistId: string | null;
  /** Players without a profile. */
  readonly athleteName: string | null;
  readonly assistName: string | null;
  readonly scoreAfter: number[] | null;
}

export const matchActionResource: Resource<MatchActionRow> = {
  type: 'match_action',
  // prettier-ignore
  table: table<MatchActionRow>('match_action', {
    id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', published: 'plain', matchId: 'plain',
    type: 'plain', period: 'plain', clockMs: 'plain', minute: 'plain', addedMinute: 'plain', participantId: 'plain', athleteId: 'plain', assistId: 'plain',
    athleteName: 'plain', assistName: 'plain', scoreAfter: 'plain',
  }),
  created: 'match_action.created',
  updated: 'match_action.updated',
  deleted: 'match_action.deleted',
  required: ['type'],
  isPublic: (row) => row.published,
};

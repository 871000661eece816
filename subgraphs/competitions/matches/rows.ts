/** Matches, who takes part in them and what happens in them, as the area's database holds them. */
import type { Page } from '../../../platform/lists/page.ts';
import { table } from '../../../platform/database/table.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { MatchActionType, MatchSide, MatchStatus, PlaceholderOutcome, Sport } from '../resolvers.generated.ts';
import { matchTransitions } from './rules.ts';
import type { ParticipantPart } from '../results/rows.ts';

export interface VenueValue {
  readonly name?: string | null;
  readonly city?: string | null;
  readonly country?: string | null;
  readonly neutral?: boolean | null;
}

export interface FormatValue {
  readonly bestOf?: number | null;
  readonly periods?: number | null;
  readonly distanceMeters?: number | null;
}

export interface OfficialValue {
  readonly name: string;
  readonly role?: string | null;
  readonly country?: string | null;
}

export interface MatchRow extends ResourceRow {
  readonly status: MatchStatus;
  readonly statusReason: string | null;
  readonly published: boolean;
  readonly seasonId: string;
  readonly competitionId: string;
  readonly contestId: string;
  readonly stageId: string;
  readonly sport: Sport;
  readonly groupName: string | null;
  readonly round: string | null;
  readonly matchday: number | null;
  readonly leg: number | null;
  readonly tieId: string | null;
  /** YYYY-MM-DD in the time zone of the place. */
  readonly date: string | null;
  readonly startTime: string | null;
  /** What lists are sorted by. */
  readonly startsAt: string;
  readonly timeZone: string | null;
  readonly venue: VenueValue | null;
  readonly format: FormatValue | null;
  readonly officials: OfficialValue[];
  readonly attendance: number | null;
}

export interface LineupValue {
  readonly athleteId: string;
  readonly position: string | null;
  readonly shirtNumber: number | null;
  readonly starter: boolean;
  readonly captain: boolean;
}

/** An entry in a match. */
export interface MatchParticipantRow {
  readonly id: string;
  readonly matchId: string;
  readonly ordinal: number;
  readonly participantId: string | null;
  readonly teamId: string | null;
  readonly athleteIds: string[];
  readonly placeholderText: string | null;
  readonly sourceMatchId: string | null;
  readonly sourceOutcome: PlaceholderOutcome | null;
  readonly side: MatchSide | null;
  readonly lane: number | null;
  readonly bib: string | null;
  readonly seed: number | null;
  readonly bye: boolean;
  readonly lineup: LineupValue[];
  /** Its part of the match's result; null without one. */
  readonly result: ParticipantPart | null;
  readonly startsAt: string;
  readonly published: boolean;
}

export interface MatchActionRow extends ResourceRow {
  readonly published: boolean;
  readonly matchId: string;
  readonly type: MatchActionType;
  readonly period: number | null;
  readonly minute: number | null;
  readonly addedMinute: number | null;
  readonly participantId: string | null;
  readonly athleteId: string | null;
  readonly assistId: string | null;
  readonly scoreAfter: number[] | null;
}

export const matchResource: Resource<MatchRow> = {
  type: 'match',
  // prettier-ignore
  table: table<MatchRow>('match', {
    id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', statusReason: 'plain',
    published: 'plain', seasonId: 'plain', competitionId: 'plain', contestId: 'plain', stageId: 'plain', sport: 'plain',
    groupName: 'plain', round: 'plain', matchday: 'plain', leg: 'plain', tieId: 'plain', date: 'plain', startTime: 'plain',
    startsAt: 'plain', timeZone: 'plain', venue: 'jsonb', format: 'jsonb', officials: 'jsonb', attendance: 'plain',
  }),
  created: 'match.created',
  updated: 'match.updated',
  deleted: 'match.deleted',
  required: ['officials'],
  isPublic: (row) => row.published,
  lifecycle: { initial: 'SCHEDULED', transitions: matchTransitions },
};

// prettier-ignore
export const matchParticipants = table<MatchParticipantRow>('match_participant', {
  id: 'plain', matchId: 'plain', ordinal: 'plain', participantId: 'plain', teamId: 'plain', athleteIds: 'plain', placeholderText: 'plain',
  sourceMatchId: 'plain', sourceOutcome: 'plain', side: 'plain', lane: 'plain', bib: 'plain', seed: 'plain', bye: 'plain',
  lineup: 'jsonb', result: 'jsonb', startsAt: 'plain', published: 'plain',
});

export const matchActionResource: Resource<MatchActionRow> = {
  type: 'match_action',
  // prettier-ignore
  table: table<MatchActionRow>('match_action', {
    id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', published: 'plain', matchId: 'plain',
    type: 'plain', period: 'plain', minute: 'plain', addedMinute: 'plain', participantId: 'plain', athleteId: 'plain', assistId: 'plain',
    scoreAfter: 'plain',
  }),
  created: 'match_action.created',
  updated: 'match_action.updated',
  deleted: 'match_action.deleted',
  required: ['type'],
  isPublic: (row) => row.published,
};

export type MatchPage = Page<MatchRow>;

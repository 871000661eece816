/** The table row of a match and its resource description. */
import type { Page } from '../../../platform/lists/page.ts';
import { table } from '../../../platform/database/table.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { MatchStatus, Sport, SubMatchScoring } from '../generated/resolvers.ts';
import type { ClockValue } from './clock.ts';
import { matchTransitions } from './rules.ts';

export interface VenueValue {
  readonly name?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly country?: string | null | undefined;
  readonly neutral?: boolean | null | undefined;
}

export interface FormatValue {
  readonly bestOf?: number | null | undefined;
  readonly periods?: number | null | undefined;
  readonly distanceMeters?: number | null | undefined;
  readonly subMatchScoring?: SubMatchScoring | null | undefined;
}

export interface OfficialValue {
  readonly name: string;
  readonly role?: string | null | undefined;
  readonly country?: string | null | undefined;
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
  /** The match that this match is part of. */
  readonly parentId: string | null;
  /** YYYY-MM-DD in the time zone of the venue. */
  readonly date: string | null;
  readonly startTime: string | null;
  /** What lists are sorted by. */
  readonly startsAt: string;
  readonly timeZone: string | null;
  readonly venue: VenueValue | null;
  readonly format: FormatValue | null;
  readonly officials: OfficialValue[];
  readonly attendance: number | null;
  readonly titles: string[];
  /** Null before the start, and in sports without periods. */
  readonly clock: ClockValue | null;
}

export const matchResource: Resource<MatchRow> = {
  type: 'match',
  // prettier-ignore
  table: table<MatchRow>('match', {
    id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', statusReason: 'plain',
    published: 'plain', seasonId: 'plain', competitionId: 'plain', contestId: 'plain', stageId: 'plain', sport: 'plain',
    groupName: 'plain', round: 'plain', matchday: 'plain', leg: 'plain', tieId: 'plain', parentId: 'plain', date: 'plain', startTime: 'plain',
    startsAt: 'plain', timeZone: 'plain', venue: 'jsonb', format: 'jsonb', officials: 'jsonb', attendance: 'plain', titles: 'plain', clock: 'jsonb',
  }),
  created: 'match.created',
  updated: 'match.updated',
  deleted: 'match.deleted',
  required: ['officials', 'titles'],
  replaced: ['clock'],
  isPublic: (row) => row.published,
  lifecycle: { initial: 'SCHEDULED', transitions: matchTransitions },
};

export type MatchPage = Page<MatchRow>;

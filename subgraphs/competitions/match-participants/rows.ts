/** The table row of an entry: a participant or a placeholder in a match. */
import { table } from '../../../platform/database/table.ts';
import type { MatchSide, PlaceholderOutcome } from '../resolvers.generated.ts';
import type { ParticipantPart } from '../results/rows.ts';

export interface LineupValue {
  readonly athleteId: string;
  readonly position: string | null;
  readonly shirtNumber: number | null;
  readonly starter: boolean;
  readonly captain: boolean;
}

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

// prettier-ignore
export const matchParticipants = table<MatchParticipantRow>('match_participant', {
  id: 'plain', matchId: 'plain', ordinal: 'plain', participantId: 'plain', teamId: 'plain', athleteIds: 'plain', placeholderText: 'plain',
  sourceMatchId: 'plain', sourceOutcome: 'plain', side: 'plain', lane: 'plain', bib: 'plain', seed: 'plain', bye: 'plain',
  lineup: 'jsonb', result: 'jsonb', startsAt: 'plain', published: 'plain',
});

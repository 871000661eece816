/** The table row of an entry: a participant or a placeholder in a match. */
import { table } from '../../../platform/database/table.ts';
import type { ParticipantPart } from '../results/rows.ts';
import type { EntryValues } from './values.ts';

export interface MatchParticipantRow extends EntryValues {
  readonly id: string;
  readonly matchId: string;
  readonly ordinal: number;
  /** Its part of the match's result; null without one. */
  readonly result: ParticipantPart | null;
  readonly startsAt: string;
  readonly published: boolean;
}

// prettier-ignore
export const matchParticipants = table<MatchParticipantRow>('match_participant', {
  id: 'plain', matchId: 'plain', ordinal: 'plain', participantId: 'plain', teamId: 'plain', athleteIds: 'plain', placeholderText: 'plain',
  sourceMatchId: 'plain', sourceOutcome: 'plain', side: 'plain', lane: 'plain', bib: 'plain', seed: 'plain', bye: 'plain',
  lineup: 'jsonb', formation: 'plain', staff: 'jsonb', result: 'jsonb', startsAt: 'plain', published: 'plain',
});

/** Members that a request leaves out and that stay as they are stored. */
import type { GivenResult } from './facts.ts';
import type { ParticipantPart } from './rows.ts';

/** The result with the stored statistics of each participant whose statistics the request leaves out. An empty list deletes them. */
export function withStoredStatistics<Given extends GivenResult>(given: Given, parts: readonly ParticipantPart[]): Given {
  const stored = new Map(parts.map(({ participantId, statistics }) => [participantId, statistics ?? {}]));
  return {
    ...given,
    participants: given.participants.map((participant) =>
      participant.statistics === undefined
        ? {
            ...participant,
            statistics: Object.entries(stored.get(participant.participantId) ?? {}).map(([metric, value]) => ({ metric, value })),
          }
        : participant,
    ),
  };
}

/** Resolvers of results and their versions. */
import { redirectTo } from '../../clients/athlete-redirect.ts';
import { isProfileReadable } from '../../clients/readable-profile.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { displayMark } from '../rankings/mark.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createResultBatch } from './batch.ts';
import { legsOf } from './relay-legs.ts';
import { statisticValues } from './statistics.ts';
import { createResultWrites } from './writes.ts';

export function resultResolvers(
  services: AreaServices,
  { matches, participants, results, entries: entriesOfMatch }: Reads,
): Resolvers {
  const writes = createResultWrites(services, results);
  const batch = createResultBatch(services);
  const match = ({ matchId }: { matchId: string }, _: unknown, context: Context) => loadRequired(context, matches.byId, matchId);

  return {
    Query: {
      results: (_, args, context) => results.list(context, args),
      matchResult: (_, { matchId }, context) => context.load(results.ofMatch, matchId),
      athleteResults: async (_, { athleteId, first, after }, context) =>
        (await isProfileReadable(context, athleteId))
          ? context.load(results.pagesOfAthletes, { owner: athleteId, first, after })
          : redirectTo(context, athleteId),
      resultVersions: async (_, { matchId, first, after }, context) => {
        const result = await context.load(results.ofMatch, matchId);
        return result && results.versions(result, { first, after });
      },
    },
    Mutation: {
      putResult: (_, { matchId, input, ifMatch, ifNoneMatch }, context) =>
        writes.put(context, matchId, input, { ifMatch, ifNoneMatch }),
      certifyResult: (_, { matchId, idempotencyKey }, context) => writes.certify(context, matchId, idempotencyKey),
      correctResult: (_, { matchId, input, idempotencyKey }, context) => writes.correct(context, matchId, input, idempotencyKey),
      annulResult: (_, { matchId, reason, idempotencyKey }, context) => writes.annul(context, matchId, reason, idempotencyKey),
      upsertResults: (_, { items, idempotencyKey }, context) => batch.upsert(context, items, idempotencyKey),
    },
    Match: { result: ({ id }, _, context) => context.load(results.ofMatch, id) },
    Athlete: {
      results: ({ ref }, { first, after }, context) => context.load(results.pagesOfAthletes, { owner: ref, first, after }),
    },
    Result: {
      match,
      participants: ({ matchId }, _, context) => context.load(results.participants, matchId),
    },
    ResultVersion: {
      participants: ({ matchId, status, participants }) =>
        participants.map((part) => ({ ...part, id: part.participantId, matchId, status, startsAt: '' })),
    },
    ParticipantResult: {
      participant: ({ participantId }, _, context) => loadRequired(context, participants.byId, participantId),
      match,
      periodScores: ({ periodScores }) => [...periodScores],
      tieBreakScores: ({ tieBreakScores }) => [...tieBreakScores],
      splits: ({ splits }) => [...splits],
      countback: ({ countback }) => [...countback],
      attempts: ({ attempts }) => [...(attempts ?? [])],
      scorecards: ({ scorecards }) => (scorecards ?? []).map((card) => ({ ...card, periodScores: [...card.periodScores] })),
      statistics: async (part, _, context) => {
        if (!part.statistics) return [];
        const { sport } = await loadRequired(context, matches.byId, part.matchId);
        return statisticValues(part, sport);
      },
      legs: async ({ matchId, participantId, splits, mark }, _, context) => {
        const entries = await context.load(entriesOfMatch, matchId);
        const lineup = entries.find((entry) => entry.participantId === participantId)?.lineup ?? [];
        return legsOf(lineup, splits, mark?.value ?? null);
      },
      mark: ({ mark }) => mark && { ...mark, display: displayMark(mark.value, mark.unit) },
      bonusPoints: ({ bonusPoints }) => [...bonusPoints],
    },
  };
}

/** Resolvers of matches, who takes part in them and what happens in them: one line a field. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { MatchVerb } from './rules.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { createMatchBatch } from './batch.ts';
import { readMatchFacts } from '../participations/reads.ts';
import type { MatchRow } from './rows.ts';
import { createMatchEntryWrites } from '../match-participants/writes.ts';
import { createMatchActionWrites } from '../match-actions/writes.ts';
import { createMatchWrites, type MatchStep } from './writes.ts';
import { athleteOf } from '../references.ts';
import type { Stores } from '../reads.ts';

/** What a match cannot be shown without. */
async function needed<Row>(row: Promise<Row | null>, what: string): Promise<Row> {
  const found = await row;
  if (found === null) throw new Error(`a match is shown without its ${what}`);
  return found;
}

export function matchResolvers(services: AreaServices, { matches, seasons, contests, stages, participants }: Stores): Resolvers {
  const writes = createMatchWrites(services, matches);
  const batch = createMatchBatch(services);
  const entries = createMatchEntryWrites(services, matches);
  const actions = createMatchActionWrites(services, matches);
  const step = (verb: MatchVerb) => (_: unknown, args: MatchStep, context: Context) => writes.transition(context, verb, args);
  const season = ({ seasonId }: MatchRow, _: unknown, context: Context) => needed(context.load(seasons.byId, seasonId), 'season');

  return {
    Query: {
      matches: (_, args, context) => matches.list(context, args),
      match: (_, { id }, context) => context.load(matches.byId, id),
      matchesById: (_, { ids }) => readMatchFacts(services.database, ids),
      matchAction: (_, { matchId, id }, context) => matches.actionOf(context, matchId, id),
    },
    Mutation: {
      createMatch: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateMatch: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteMatch: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      upsertMatches: (_, { items, idempotencyKey }, context) => batch.upsert(context, items, idempotencyKey),
      scheduleMatch: step('schedule'),
      startMatch: step('start'),
      pauseMatch: step('pause'),
      resumeMatch: step('resume'),
      extraTimeMatch: step('extra-time'),
      shootoutMatch: step('shootout'),
      finishMatch: step('finish'),
      postponeMatch: step('postpone'),
      suspendMatch: step('suspend'),
      abandonMatch: step('abandon'),
      cancelMatch: step('cancel'),
      awardMatch: step('award'),
      addMatchParticipant: (_, { matchId, input, idempotencyKey }, context) =>
        entries.add(context, matchId, input, idempotencyKey),
      updateMatchParticipant: (_, { input, ...place }, context) => entries.update(context, place, input),
      removeMatchParticipant: (_, place, context) => entries.remove(context, place),
      setLineup: (_, { input, ...place }, context) => entries.setLineup(context, place, input),
      createMatchAction: (_, { matchId, input, idempotencyKey }, context) =>
        actions.create(context, matchId, input, idempotencyKey),
      updateMatchAction: (_, { input, ...place }, context) => actions.update(context, place, input),
      deleteMatchAction: async (_, place, context) => {
        await actions.remove(context, place);
        return { id: place.id, deleted: true };
      },
    },
    Match: {
      __resolveReference: ({ id }, context) => context.load(matches.byId, id),
      season,
      contest: ({ contestId }, _, context) => needed(context.load(contests.byId, contestId), 'contest'),
      stage: ({ stageId }, _, context) => needed(context.load(stages.byId, stageId), 'stage'),
      group: ({ groupName }) => groupName,
      participants: ({ id }, _, context) => context.load(matches.entries, id),
      actions: ({ id }, _, context) => context.load(matches.actions, id),
      externalIds: ({ id }, _, context) => context.load(matches.externalIds, id),
    },
    MatchParticipant: {
      entryId: ({ id }) => id,
      participant: ({ participantId }, _, context) =>
        participantId === null ? null : context.load(participants.byId, participantId),
      placeholder: (entry) => (entry.placeholderText === null && entry.sourceMatchId === null ? null : entry),
    },
    Placeholder: {
      text: ({ placeholderText }) => placeholderText,
      sourceMatch: ({ sourceMatchId }, _, context) => (sourceMatchId === null ? null : context.load(matches.byId, sourceMatchId)),
      outcome: ({ sourceOutcome }) => sourceOutcome,
    },
    LineupEntry: { athlete: ({ athleteId }) => athleteOf(athleteId) },
    MatchAction: {
      match: ({ matchId }, _, context) => needed(context.load(matches.byId, matchId), 'match'),
      participant: ({ participantId }, _, context) =>
        participantId === null ? null : context.load(participants.byId, participantId),
      athlete: ({ athleteId }) => athleteOf(athleteId),
      assist: ({ assistId }) => athleteOf(assistId),
    },
    Venue: { neutral: ({ neutral }) => neutral ?? false },
    Season: {
      matches: ({ id }, { first, after }, context) => context.load(matches.pagesOfSeasons, { owner: id, first, after }),
    },
    Team: {
      matches: ({ id }, { first, after }, context) => context.load(matches.pagesOfTeams, { owner: id, first, after }),
    },
  };
}

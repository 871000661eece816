/** Resolvers of absences. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { emptyPage } from '../../../platform/lists/page.ts';
import { owns } from '../../../schema/viewer.ts';
import { isFieldVisible } from '../athletes/restriction.ts';
import { createAbsenceBatch } from './batch.ts';
import { readsDetails } from './visible-absences.ts';
import { createAbsenceWrites } from './writes.ts';

export function absenceResolvers(services: AreaServices, { absences, athletes }: Reads): Resolvers {
  const writes = createAbsenceWrites(services, absences);
  const upsert = createAbsenceBatch(services);

  return {
    Query: {
      absences: (_, args, context) => absences.list(context, args),
      absence: (_, { id }, context) => context.load(absences.byId, id),
    },
    Mutation: {
      createAbsence: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      upsertAbsences: (_, { items, idempotencyKey }, context) => upsert(context, items, idempotencyKey),
      updateAbsence: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteAbsence: async (_, { id, ifMatch }, context) => ({
        id: (await writes.remove(context, id, ifMatch)).id,
        deleted: true,
      }),
    },
    Absence: {
      __resolveReference: ({ id }, context) => context.load(absences.byId, id),
      athlete: ({ athleteId }, _, context) => context.load(athletes.byId, athleteId),
      kind: (row, _, { viewer }) => (readsDetails(viewer, row) ? row.kind : null),
      reason: (row, _, { viewer }) => (readsDetails(viewer, row) ? row.reason : null),
      matchCount: (row, _, { viewer }) => (readsDetails(viewer, row) ? row.matchCount : null),
      competition: (row, _, { viewer }) =>
        row.competitionId !== null && readsDetails(viewer, row) ? { id: row.competitionId } : null,
      healthConsent: (row, _, { viewer }) => (owns(viewer, row.athleteAccountId) ? row.healthConsent : null),
      externalIds: ({ id }, _, context) => context.load(absences.externalIds, id),
    },
    Athlete: {
      absences: (row, { first, after }, context) =>
        isFieldVisible(row, 'absences')
          ? context.load(absences.pagesOfAthletes, { owner: row.id, first, after })
          : emptyPage(after),
    },
    AthleteExport: {
      absences: ({ id }, { first, after }, context) => context.load(absences.exported, { owner: id, first, after }),
    },
  };
}

/** Resolvers of the export of an athlete's data to its owner. */
import { exportOf } from '../../clients/athlete-facts.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { createAthleteNotes } from '../athletes/athlete-notes.ts';
import { profileIds } from '../athletes/removed-athletes.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createExportHistory } from './history.ts';

/** The owner of an exported athlete can always read it. */
function requireReadable<Value>(value: Value | null): Value {
  if (value === null) throw new Error('the owner of an exported athlete cannot read it');
  return value;
}

export function exportResolvers(services: AreaServices, { athletes, consents, statistics }: Reads): Resolvers {
  const history = createExportHistory(services);
  const note = createAthleteNotes(services, athletes);

  return {
    Query: {
      athleteExport: async (_, { athleteId }, context) => {
        context.notes.minor = true;
        const found = await exportOf(context, { id: athleteId });
        if (found) await note(context, [{ athleteId }], 'EXPORT');
        return found ?? athletes.redirectTo(context, athleteId);
      },
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      athlete: async ({ id }, _, context) => requireReadable(await athletes.byIdOfAnySport(context, id)),
      consents: async ({ id }, args, context) =>
        requireReadable(await consents.list(context, { athleteId: id, ...args }, profileIds(id))),
      accessLog: async ({ id }, args, context) => requireReadable(await consents.accessLog(context, { athleteId: id, ...args })),
      statistics: ({ id }, { first, after }, context) => context.load(statistics.allPagesOfAthletes, { owner: id, first, after }),
      history: ({ id }, args) => history(id, args),
    },
    HistoryEntry: {
      actorKind: ({ actor }) => actor.kind,
      actorAccountId: ({ actor }) => actor.accountId,
      changes: ({ changes }) =>
        Object.entries(changes).map(([member, [before, after]]) => ({
          member,
          before: JSON.stringify(before),
          after: JSON.stringify(after),
        })),
    },
  };
}

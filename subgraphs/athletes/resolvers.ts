/** Resolvers of the athletes area: one line a field. */
import { metric } from '../../schema/metrics.ts';
import { createSelectedColumns } from '../runtime/selected-columns.ts';
import { exportOf } from '../clients/athlete-facts.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { ageOn } from '../runtime/age.ts';
import { ageGroupOf } from './athletes/age.ts';
import { metricValueResolvers } from './statistics/metric-value-resolvers.ts';
import type { AthleteStatus, Resolvers } from './resolvers.generated.ts';
import { removedStates } from './athletes/rules.ts';
import { athleteResource } from './athletes/rows.ts';
import { createAthleteExport } from './export/history.ts';
import { createAthleteReads } from './athletes/reads.ts';
import { createAthleteMerge } from './athletes/merge.ts';
import { createAthleteWrites } from './athletes/writes.ts';
import { createConsentReads } from './consents/reads.ts';
import { createConsentWrites } from './consents/writes.ts';
import { findRemovedAthletes, profileIds } from './athletes/removed-athletes.ts';
import { createDiscovery } from './discovery/reads.ts';
import { createVisibleAthletes } from './internal/visible-athletes.ts';
import { isFieldVisible } from './athletes/restriction.ts';
import { createStatisticsReads } from './statistics/reads.ts';
import { createStatisticsWrites } from './statistics/writes.ts';
import { createSuggestions } from './discovery/suggestions.ts';
import { createPublishedFacts, publishedAthlete } from './internal/published-athlete.ts';
import { emptyPage } from '../../platform/lists/page.ts';
import { canProfile } from './athletes/visibility.ts';

/** What the fields of an athlete of a list are read from. */
const askedColumns = createSelectedColumns(athleteResource.table, {
  always: [
    'id',
    'accountId',
    'version',
    'createdAt',
    'updatedAt',
    'displayName',
    'adultFrom',
    'consentScopes',
    'activatedAsMinor',
  ],
  fields: {
    __typename: [],
    ref: ['id'],
    applicant: ['id'],
    lives: [],
    age: ['dateOfBirth'],
    ageGroup: ['dateOfBirth', 'birthYear'],
    restricted: [],
    externalIds: ['id'],
    organization: ['id'],
    team: ['id'],
    statistics: ['id'],
  },
});

const isThere = ({ status }: { status: AthleteStatus }): boolean => !removedStates.includes(status);

/** What the owner of an athlete is never refused. */
function needed<Value>(value: Value | null): Value {
  if (value === null) throw new Error('an export is of an athlete that its owner does not see');
  return value;
}

const reference = (id: string | null | undefined) => (id ? { id } : null);

export function athleteResolvers(services: AreaServices): Resolvers {
  const athletes = createAthleteReads(services);
  const writes = createAthleteWrites(services, athletes);
  const merge = createAthleteMerge(services, athletes);
  const statistics = createStatisticsReads(services, athletes);
  const consents = createConsentReads(services);
  const exported = createAthleteExport(services);
  const consentWrites = createConsentWrites(services, consents);
  const seen = createVisibleAthletes(services);
  const told = createPublishedFacts(services);
  const suggestions = createSuggestions(services);
  const discovery = createDiscovery(services);
  const statisticsWrites = createStatisticsWrites(services, statistics);

  return {
    Query: {
      athletes: (_, args, context, info) => athletes.list(context, args, askedColumns(info)),
      athlete: (_, { id }, context) => athletes.one(context, id),
      athleteStatistics: async (_, args, context) => {
        const page = await statistics.list(context, args);
        if (page.nodes.length === 0 && args.filter?.athleteId) await athletes.lead(context, args.filter.athleteId);
        return page;
      },
      athleteStatisticsRow: (_, { id }, context) => context.load(statistics.byId, id),
      athleteSuggestions: async (_, args, context) => ({ nodes: await suggestions(context, args) }),
      athleteDiscovery: (_, { sport }, { viewer }) => ({ sport: sport ?? viewer.sport }),
      athleteConsents: async (_, args, context) => (await consents.list(context, args)) ?? athletes.lead(context, args.athleteId),
      athleteExport: async (_, { athleteId }, context) => {
        context.notes.minor = true;
        return (await exportOf(context, { id: athleteId })) ?? athletes.lead(context, athleteId);
      },
      athleteConsent: async (_, { athleteId, id }, context) => {
        const consent = await context.load(consents.byId, id);
        return consent?.athleteId === athleteId ? consent : athletes.lead(context, athleteId);
      },
      athleteAccessLog: async (_, args, context) =>
        (await consents.accessLog(context, args)) ?? athletes.lead(context, args.athleteId),
      athletesById: async (_, { ids }) => (await athletes.read(ids)).filter(isThere).map(publishedAthlete),
      publicAthleteIds: (_, { after }) => told.publicIds(after ?? null),
      profiledAthletes: async (_, { ids }, context) => {
        const shown = (await Promise.all(ids.map((id) => context.load(athletes.byId, id)))).filter((row) => row !== null);
        const told = shown.filter((row) => canProfile(context.viewer, row));
        return [...new Map(told.map((row) => [row.id, row])).values()];
      },
      visibleAthletes: (_, { ids }, context) => seen(context, ids),
      removedAthletes: (_, { ids }) => findRemovedAthletes(services.database, ids),
      athleteRedirect: (_, { id }, context) => athletes.movedTo(context, id),
    },
    Mutation: {
      createAthlete: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateAthlete: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteAthlete: async (_, { id, ifMatch }, context) => ({
        id: (await writes.remove(context, id, ifMatch)).id,
        deleted: true,
      }),
      activateAthlete: (_, args, context) => writes.transition(context, 'activate', args),
      deactivateAthlete: (_, args, context) => writes.transition(context, 'deactivate', args),
      suspendAthlete: (_, args, context) => writes.transition(context, 'suspend', args),
      reinstateAthlete: (_, args, context) => writes.transition(context, 'reinstate', args),
      verifyAthlete: (_, { method, ...args }, context) => writes.decide(context, 'verify', { ...args, reason: method }),
      rejectAthlete: (_, args, context) => writes.decide(context, 'reject', args),
      eraseAthlete: (_, args, context) => writes.erase(context, args),
      mergeAthlete: (_, args, context) => merge(context, args),
      upsertAthletes: (_, { items, idempotencyKey }, context) => writes.upsert(context, items, idempotencyKey),
      giveConsent: (_, args, context) => consentWrites.give(context, args),
      withdrawConsent: (_, args, context) => consentWrites.withdraw(context, args),
      verifyAthleteStatistics: (_, args, context) => statisticsWrites.decide(context, 'verify', args),
      rejectAthleteStatistics: (_, args, context) => statisticsWrites.decide(context, 'reject', args),
      reportAthleteStatistics: (_, { input, idempotencyKey }, context) => statisticsWrites.report(context, input, idempotencyKey),
      reportAthleteStatisticsBatch: (_, { items, idempotencyKey }, context) =>
        statisticsWrites.reportBatch(context, items, idempotencyKey),
    },
    Athlete: {
      __resolveReference: (key, context) =>
        'applicant' in key
          ? context.load(key.lives ? athletes.applicants : athletes.byId, key.applicant)
          : context.load(athletes.byId, 'ref' in key ? key.ref : key.id),
      ref: ({ id }) => id,
      applicant: ({ id }) => id,
      lives: () => false,
      age: ({ dateOfBirth }) => (dateOfBirth === null ? null : ageOn(dateOfBirth)),
      ageGroup: (row) => row.ageGroup ?? ageGroupOf(row),
      restricted: (row) => !isFieldVisible(row, 'displayName'),
      externalIds: (row, _, context) => (isFieldVisible(row, 'externalIds') ? context.load(athletes.externalIds, row.id) : []),
      organization: async (row, _, context) =>
        isFieldVisible(row, 'organization') ? reference((await context.load(athletes.currentMembership, row.id))?.organizationId) : null,
      team: async (row, _, context) =>
        isFieldVisible(row, 'team') ? reference((await context.load(athletes.currentMembership, row.id))?.teamId) : null,
      statistics: (row, { first, after }, context) =>
        isFieldVisible(row, 'statistics') ? context.load(statistics.pagesOfAthletes, { owner: row.id, first, after }) : emptyPage(),
    },
    AthleteDiscovery: {
      count: async (of, _, context) => (await discovery.counters(of, context)).count,
      facets: async (of, _, context) => (await discovery.counters(of, context)).facets,
      rising: (of, { first }, context) => discovery.rising(context, of, first),
      newlyVerified: (of, { first }, context, info) => discovery.curated(context, of, 'newlyVerified', first, askedColumns(info)),
      openToOpportunities: (of, { first }, context, info) =>
        discovery.curated(context, of, 'openToOpportunities', first, askedColumns(info)),
    },
    RisingAthlete: {
      athlete: ({ athleteId }, _, context) => context.load(athletes.byId, athleteId),
      unit: ({ metric: key }) => metric(key)?.unit ?? 'count',
    },
    Consent: {
      effective: async ({ athleteId, scopes, withdrawnAt }, _, context) => {
        const athlete = await athletes.whicheverSport(context, athleteId);
        // of a second profile the first one is read
        const inForce = athlete?.id === athleteId ? athlete.consentScopes : [];
        return withdrawnAt === null && scopes.every((scope) => inForce.includes(scope));
      },
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      athlete: async ({ id }, _, context) => needed(await athletes.whicheverSport(context, id)),
      consents: async ({ id }, args, context) => needed(await consents.list(context, { athleteId: id, ...args }, profileIds(id))),
      accessLog: async ({ id }, args, context) => needed(await consents.accessLog(context, { athleteId: id, ...args })),
      statistics: ({ id }, { first, after }, context) => context.load(statistics.allPagesOfAthletes, { owner: id, first, after }),
      history: ({ id }, args) => exported.history(id, args),
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
    AthleteFacts: {
      seasons: ({ id }, _, context) => context.load(told.seasons, id),
    },
    Education: {
      institution: ({ institutionId }) => reference(institutionId),
    },
    Availability: {
      types: ({ types }) => types ?? [],
      relocation: ({ relocation }) => relocation ?? 'NONE',
    },
    AthleteStatistics: {
      __resolveReference: ({ id }, context) => context.load(statistics.byId, id),
      athlete: ({ athleteId }, _, context) => context.load(athletes.byId, athleteId),
      team: ({ teamId }) => reference(teamId),
      metrics: (row) => row.metrics.map(({ key, value }) => ({ key, value, row })),
      rank: ({ rank }) => rank ?? null,
    },
    MetricValue: metricValueResolvers(statistics),
  };
}

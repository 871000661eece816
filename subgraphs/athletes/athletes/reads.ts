/** SQL reads of athletes. */
import { Problem } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { type Sort, sortBy, withNodes } from '../../../platform/lists/page.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { moderationReasonsOf, type ModerationReasons } from '../../../platform/writes/moderation-reason.ts';
import { noteRedirect } from '../../clients/athlete-redirect.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { AthleteSort, QueryAthletesArgs } from '../generated/resolvers.ts';
import { currentMembershipsOf, isCurrentAndVisible, isInForce, type CurrentMembership } from './current-membership.ts';
import { latestBirthDate, isTreatedAsMinor } from './age.ts';
import { requireValidFilter, tablesOf } from './list-tables.ts';
import { findVisibleRemovals } from './removed-athletes.ts';
import { createProfileRestriction } from './restriction.ts';
import { athleteResource, athletes, type AthletePage, type AthleteRow, type AthleteView } from './rows.ts';
import { requiredConsents } from './visibility.ts';
import { competesIn, isOrganizationVisible, visibleApplicants, visibleInLists, visibleOrOwn } from './visible-rows.ts';

const sorts: Readonly<Record<AthleteSort, Sort<AthleteRow>>> = {
  CREATED_AT_DESC: sortBy(athletes, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(athletes, 'createdAt', 'timestamptz', 'asc'),
  NAME_ASC: sortBy(athletes, 'displayName', 'text', 'asc'),
  NAME_DESC: sortBy(athletes, 'displayName', 'text', 'desc'),
  UPDATED_AT_ASC: sortBy(athletes, 'updatedAt', 'timestamptz', 'asc'),
  UPDATED_AT_DESC: sortBy(athletes, 'updatedAt', 'timestamptz', 'desc'),
};

type Filter = NonNullable<QueryAthletesArgs['filter']>;

function bodyConditions({ heightCmMin, heightCmMax, dominantFoot, dominantHand, language }: Filter): Sql[] {
  const where: Sql[] = [];
  if (typeof heightCmMin === 'number') where.push(sql`athlete.height_cm >= ${heightCmMin}`);
  if (typeof heightCmMax === 'number') where.push(sql`athlete.height_cm <= ${heightCmMax}`);
  if (dominantFoot) where.push(oneOf(sql`athlete.dominant_foot`, dominantFoot));
  if (dominantHand) where.push(oneOf(sql`athlete.dominant_hand`, dominantHand));
  if (language) where.push(sql`athlete.language_codes && ${[...language]}`);
  return where;
}

/** Current members of organizations that the viewer can read. The visibility of a single one does not depend on the athlete. */
function isMemberOf(viewer: Viewer, ids: readonly string[]): Sql {
  const membership = sql`select from membership m where m.athlete_id = athlete.id and ${oneOf(sql`m.organization_id`, ids)} and ${isInForce}`;
  if (ids.length === 1) return sql`exists (${membership}) and ${isOrganizationVisible(viewer, sql`${ids[0]}`)}`;
  return sql`exists (${membership} and ${isOrganizationVisible(viewer, sql`m.organization_id`)})`;
}

function membershipConditions(viewer: Viewer, { organizationId, freeAgent, contractUntil }: Filter): Sql[] {
  const where: Sql[] = [];
  if (organizationId) where.push(isMemberOf(viewer, organizationId));
  const current = sql`exists (select from membership m where m.athlete_id = athlete.id and ${isCurrentAndVisible(viewer)})`;
  if (typeof freeAgent === 'boolean') where.push(freeAgent ? sql`not ${current}` : current);
  if (contractUntil)
    where.push(sql`exists (select from membership m where m.athlete_id = athlete.id and m.contract_until <= ${contractUntil}::date
      and ${isCurrentAndVisible(viewer)})`);
  return where;
}

function availabilityConditions({ openToOpportunities, availableFor }: Filter): Sql[] {
  const where: Sql[] = [];
  if (typeof openToOpportunities === 'boolean') where.push(sql`athlete.open_to_opportunities = ${openToOpportunities}`);
  if (availableFor) where.push(sql`athlete.availability_types && ${[...availableFor]}::text[]`);
  return where;
}

function conditions(viewer: Viewer, filter: Filter, sort: AthleteSort): Sql[] {
  const where = [visibleInLists(viewer, filter.mine, requiredConsents(filter, sort))];
  if (viewer.sport) where.push(sql`athlete.sport_codes @> ${[viewer.sport]}`);
  if (filter.q) where.push(matchesWords(sql`athlete.search`, filter.q));
  if (filter.sex) where.push(oneOf(sql`athlete.sex`, filter.sex));
  if (filter.country) where.push(oneOf(sql`athlete.country`, filter.country));
  if (typeof filter.ageMin === 'number') where.push(sql`athlete.date_of_birth <= ${latestBirthDate(filter.ageMin)}::date`);
  if (typeof filter.ageMax === 'number') where.push(sql`athlete.date_of_birth > ${latestBirthDate(filter.ageMax + 1)}::date`);
  where.push(...bodyConditions(filter), ...membershipConditions(viewer, filter), ...availabilityConditions(filter));
  if (typeof filter.verified === 'boolean') where.push(sql`athlete.verified = ${filter.verified}`);
  if (filter.verification) where.push(oneOf(sql`athlete.verification_status`, filter.verification));
  if (filter.status) where.push(oneOf(sql`athlete.status`, filter.status));
  return where;
}

/** Notes what a response contains, for its cache headers: persons make it private, minors exclude it from all caches. */
export function noteAthletes({ notes }: Context, rows: readonly Pick<AthleteRow, 'adultFrom' | 'activatedAsMinor'>[]): void {
  if (rows.length === 0) return;
  notes.person = true;
  if (rows.some((row) => isTreatedAsMinor(row))) notes.minor = true;
}

/** Reads of athletes by id, as a viewer may read them. */
function createReadsById({ database }: AreaServices) {
  const restrict = createProfileRestriction({ database });

  /** Visible athletes, of one sport or of all sports, and the ids among them that are merged. */
  async function readVisible(context: Context, ids: readonly string[], sport: Sport | null) {
    const rows = await database.query<AthleteRow>(
      sql`/* athletes.byIds */ select ${athletes.columns} from athlete
      where id = any(${[...ids]}::uuid[]) and (athlete.status = 'MERGED' or (${competesIn(sport)} and ${visibleOrOwn(context.viewer)}))`,
      'PAGE',
    );
    const visible = rows.filter(({ mergedInto }) => !mergedInto);
    const merged = rows.flatMap(({ id, mergedInto }) => (mergedInto ? [id] : []));
    noteAthletes(context, visible);
    return { visible: await restrict(context, visible), merged };
  }

  const readAs = (sportOf: (viewer: Viewer) => Sport | null): BatchRead<string, AthleteView | null> => {
    return async (ids, context) => {
      const sport = sportOf(context.viewer);
      const { visible, merged } = await readVisible(context, ids, sport);
      if (merged.length === 0) return inOrder(ids, visible, (row) => row.id);
      const removals = await findVisibleRemovals(database, context.viewer, merged);
      const targets = new Map(removals.map(({ id, mergedInto }) => [id, mergedInto]));
      const targetIds = [...targets.values()].filter((id) => id !== null);
      const redirected = await readVisible(context, targetIds, sport);
      const byTheirId = new Map([...redirected.visible, ...visible].map((row) => [row.id, row]));
      return ids.map((id) => byTheirId.get(targets.get(id) ?? id) ?? null);
    };
  };

  /** By id, in the requested order. A duplicate returns the profile it was merged into; a hidden athlete is null. */
  const byId = readAs(({ sport }) => sport);
  const byIdOfAllSports = readAs(() => null);

  /** Athletes with an open application to the viewer: what the owner shows by applying, and of minors what is consented to. */
  const applicants: BatchRead<string, AthleteView | null> = async (ids, context) => {
    const rows = await database.query<AthleteRow>(sql`/* athletes.applicants */ select ${athletes.columns} from athlete
      where id = any(${[...ids]}::uuid[]) and ${competesIn(context.viewer.sport)} and ${visibleApplicants(context.viewer)}`);
    noteAthletes(context, rows);
    return inOrder(ids, await restrict(context, rows, true), (row) => row.id);
  };

  /** One athlete as byId returns it, whatever the sport of the host: for data that belongs to the athlete. Shares the batch of byId. */
  const byIdOfAnySport = ({ viewer, load }: Context, id: string): Promise<AthleteView | null> =>
    load(viewer.sport === null ? byId : byIdOfAllSports, id);

  return { restrict, byId, applicants, byIdOfAnySport };
}

/** Resolves ids of duplicates to the profiles they were merged into. */
function createRedirects({ database }: AreaServices, byId: BatchRead<string, AthleteView | null>) {
  /** One athlete as byId returns it, with a note of the redirect. Throws Problem gone (410) for an erased athlete. */
  async function get(context: Context, id: string): Promise<AthleteView | null> {
    const row = await context.load(byId, id);
    noteRedirect(context, id, row?.id);
    if (row) return row;
    const [removed] = await findVisibleRemovals(database, context.viewer, [id]);
    if (removed?.status === 'ERASED') throw new Problem('gone', 'This athlete has been erased.');
    return null;
  }

  /** The profile that a duplicate redirects to. Null for other ids, and when the viewer cannot read both profiles. */
  async function redirectTarget(context: Context, id: string): Promise<string | null> {
    const [removed] = await findVisibleRemovals(database, context.viewer, [id]);
    return removed?.mergedInto ? ((await context.load(byId, removed.mergedInto))?.id ?? null) : null;
  }

  /** Notes the redirect of an id, where there is one. Always returns null. */
  async function redirectTo(context: Context, id: string): Promise<null> {
    noteRedirect(context, id, await redirectTarget(context, id));
    return null;
  }

  return { get, redirectTarget, redirectTo };
}

/** Creates the reads of athletes. */
export function createAthleteReads(services: AreaServices) {
  const { database, cursors } = services;
  const { restrict, byId, ...others } = createReadsById(services);
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<AthleteRow[]> =>
    queryable.query<AthleteRow>(
      sql`/* athletes.read */ select ${athletes.columns} from athlete where id = any(${[...ids]}::uuid[])`,
    );

  /** By id in any status, for responses to moderators, who read what they decide on. */
  const byIdForModeration: BatchRead<string, AthleteRow | null> = async (ids) => inOrder(ids, await read(ids), (row) => row.id);

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'athlete', ids);

  const moderationReasons: BatchRead<string, ModerationReasons> = (ids) => moderationReasonsOf(database, 'athlete', ids);

  const currentMembership: BatchRead<string, CurrentMembership | null> = (ids, { viewer }) =>
    currentMembershipsOf(database, viewer, ids);

  async function list(context: Context, args: QueryAthletesArgs, columns?: Sql): Promise<AthletePage> {
    const { viewer } = context;
    const order = args.sort ?? 'CREATED_AT_DESC';
    const filter = args.filter ?? {};
    requireValidFilter(filter);
    const { where, ...tables } = tablesOf(filter, order, sorts[order]);
    const page = await readList(
      { database, cursors },
      {
        name: 'athletes.list',
        resource: athleteResource,
        where: [...conditions(viewer, filter, order), ...where],
        ...tables,
        order,
        columns,
      },
      viewer,
      args,
    );
    noteAthletes(context, page.nodes);
    return withNodes(page, await restrict(context, page.nodes));
  }

  return {
    ...others,
    ...createRedirects(services, byId),
    byId,
    read,
    byIdForModeration,
    externalIds,
    moderationReasons,
    currentMembership,
    list,
  };
}

export type AthleteReads = ReturnType<typeof createAthleteReads>;

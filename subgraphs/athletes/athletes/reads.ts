/** Athletes: the SQL of their reads. Writes: athlete-writes.ts. */
import { Problem } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList } from '../../../platform/lists/list.ts';
import { type Sort, sortBy, withNodes } from '../../../platform/lists/page.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { noteRedirect } from '../../clients/athlete-redirect.ts';
import { latestBirthDate, isTreatedAsMinor } from './age.ts';
import type { AthleteSort, QueryAthletesArgs } from '../resolvers.generated.ts';
import { requiredConsents } from './visibility.ts';
import { athleteResource, athletes, type AthletePage, type AthleteRow, type AthleteView } from './rows.ts';
import { findVisibleRemovals } from './removed-athletes.ts';
import { createProfileRestriction } from './restriction.ts';
import { tablesOf } from './list-tables.ts';
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

const inForce = sql`m.status in ('ACTIVE', 'ON_LOAN') and (m.start_date is null or m.start_date <= current_date)
  and (m.end_date is null or m.end_date >= current_date)`;

function conditions(viewer: Viewer, filter: Filter, sort: AthleteSort): Sql[] {
  const where = [visibleInLists(viewer, filter.mine, requiredConsents(filter, sort))];
  if (viewer.sport) where.push(sql`athlete.sport_codes @> ${[viewer.sport]}`);
  if (filter.q) where.push(matchesWords(sql`athlete.search`, filter.q));
  if (filter.sex) where.push(oneOf(sql`athlete.sex`, filter.sex));
  if (filter.country) where.push(oneOf(sql`athlete.country`, filter.country));
  if (typeof filter.ageMin === 'number') where.push(sql`athlete.date_of_birth <= ${latestBirthDate(filter.ageMin)}::date`);
  if (typeof filter.ageMax === 'number') where.push(sql`athlete.date_of_birth > ${latestBirthDate(filter.ageMax + 1)}::date`);
  if (filter.organizationId)
    where.push(
      sql`exists (select from membership m where m.athlete_id = athlete.id and m.organization_id = ${filter.organizationId} and ${inForce})
        and ${isOrganizationVisible(viewer, sql`${filter.organizationId}`)}`,
    );
  if (typeof filter.openToOpportunities === 'boolean')
    where.push(sql`athlete.open_to_opportunities = ${filter.openToOpportunities}`);
  if (typeof filter.verified === 'boolean') where.push(sql`athlete.verified = ${filter.verified}`);
  if (filter.verification) where.push(oneOf(sql`athlete.verification_status`, filter.verification));
  if (filter.status) where.push(oneOf(sql`athlete.status`, filter.status));
  return where;
}

/** Tells the door what it may cache: an answer with a person is private, one with a minor is not stored at all. */
export function noteAthletes({ notes }: Context, rows: readonly Pick<AthleteRow, 'adultFrom' | 'activatedAsMinor'>[]): void {
  if (rows.length === 0) return;
  notes.person = true;
  if (rows.some((row) => isTreatedAsMinor(row))) notes.minor = true;
}

/** Reads of athletes over the area's database. */
export function createAthleteReads({ database, cursors }: AreaServices) {
  const sight = createProfileRestriction({ database });
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<AthleteRow[]> =>
    queryable.query<AthleteRow>(
      sql`/* athletes.read */ select ${athletes.columns} from athlete where id = any(${[...ids]}::uuid[])`,
    );

  /** Those that the viewer may see, of one sport or of all, and ids that are merged into others. */
  async function readSeen(context: Context, ids: readonly string[], sport: Sport | null) {
    const { viewer } = context;
    const rows = await database.query<AthleteRow>(sql`/* athletes.byIds */ select ${athletes.columns} from athlete
      where id = any(${[...ids]}::uuid[]) and (athlete.status = 'MERGED' or (${competesIn(sport)} and ${visibleOrOwn(viewer)}))`);
    const [merged, shown] = [rows.filter(({ mergedInto }) => mergedInto), rows.filter(({ mergedInto }) => !mergedInto)];
    noteAthletes(context, shown);
    return { shown: await sight(context, shown), merged: merged.map(({ id }) => id) };
  }

  const reading = (sportOf: (viewer: Viewer) => Sport | null): BatchRead<string, AthleteView | null> => {
    return async (ids, context) => {
      const sport = sportOf(context.viewer);
      const { shown, merged } = await readSeen(context, ids, sport);
      if (merged.length === 0) return inOrder(ids, shown, (row) => row.id);
      const led = new Map((await findVisibleRemovals(database, context.viewer, merged)).map(({ id, mergedInto }) => [id, mergedInto]));
      const firsts = await readSeen(
        context,
        [...led.values()].filter((id) => id !== null),
        sport,
      );
      const byOwnId = new Map([...firsts.shown, ...shown].map((row) => [row.id, row]));
      return ids.map((id) => byOwnId.get(led.get(id) ?? id) ?? null);
    };
  };

  /** By id, in the order asked for; of a second profile the first one, null for what the viewer may not see. */
  const byId = reading(({ sport }) => sport);
  const byIdOfAnySport = reading(() => null);

  /** Those who apply to the viewer, while their applications live: what their owner shows by applying, of minors what is consented. */
  const applicants: BatchRead<string, AthleteView | null> = async (ids, context) => {
    const rows = await database.query<AthleteRow>(sql`/* athletes.applicants */ select ${athletes.columns} from athlete
      where id = any(${[...ids]}::uuid[]) and ${competesIn(context.viewer.sport)} and ${visibleApplicants()}`);
    noteAthletes(context, rows);
    return inOrder(ids, await sight(context, rows, true), (row) => row.id);
  };

  /** One athlete by id, as byId and in one read with it, but for the sport of the host: what belongs to the athlete asks so. */
  const whicheverSport = ({ viewer, load }: Context, id: string): Promise<AthleteView | null> =>
    load(viewer.sport === null ? byId : byIdOfAnySport, id);

  /** One athlete by id, as byId; tells the door where it went. Throws Problem gone (410) for who is erased. */
  async function one(context: Context, id: string): Promise<AthleteView | null> {
    const row = await context.load(byId, id);
    noteRedirect(context, id, row?.id);
    if (row) return row;
    const [departed] = await findVisibleRemovals(database, context.viewer, [id]);
    if (departed?.status === 'ERASED') throw new Problem('gone', 'This athlete is erased.');
    return null;
  }

  /** The athlete that the id of a second profile leads to; null for other ids, and where the viewer may not know of both. */
  async function movedTo(context: Context, id: string): Promise<string | null> {
    const [departed] = await findVisibleRemovals(database, context.viewer, [id]);
    return departed?.mergedInto ? ((await context.load(byId, departed.mergedInto))?.id ?? null) : null;
  }

  /** Tells the door where an id leads by which the viewer is shown nothing else. */
  async function lead(context: Context, id: string): Promise<null> {
    noteRedirect(context, id, await movedTo(context, id));
    return null;
  }

  /** By id, whatever its state: for the answers to moderators, who see what they decide on and nothing else that is hidden. */
  const moderated: BatchRead<string, AthleteRow | null> = async (ids) => inOrder(ids, await read(ids), (row) => row.id);

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'athlete', ids);

  /** The membership in force that says most of an athlete: a permanent one before others, the latest first. */
  const currentMembership: BatchRead<string, { organizationId: string | null; teamId: string | null } | null> = async (
    ids,
    { viewer },
  ) => {
    const rows = await database.query<{
      athleteId: string;
      organizationId: string | null;
      teamId: string | null;
    }>(sql`/* athletes.currentMemberships */
      select distinct on (m.athlete_id) m.athlete_id as "athleteId", m.organization_id as "organizationId", m.team_id as "teamId"
      from membership m where m.athlete_id = any(${[...ids]}::uuid[]) and ${inForce}
        and (m.organization_id is null or ${isOrganizationVisible(viewer, sql`m.organization_id`)})
      order by m.athlete_id, m.type <> 'PERMANENT', m.organization_id is null, m.start_date desc nulls last, m.id`);
    return inOrder(ids, rows, (row) => row.athleteId);
  };

  return {
    read,
    byId,
    applicants,
    whicheverSport,
    one,
    movedTo,
    lead,
    moderated,
    externalIds,
    currentMembership,
    async list(context: Context, args: QueryAthletesArgs, columns?: Sql): Promise<AthletePage> {
      const { viewer } = context;
      const sort = args.sort ?? 'CREATED_AT_DESC';
      const filter = args.filter ?? {};
      const { where, ...part } = tablesOf(filter, sort, sorts[sort]);
      const list = {
        name: 'athletes.list',
        resource: athleteResource,
        where: [...conditions(viewer, filter, sort), ...where],
        ...part,
        order: sort,
        columns,
      };
      const page = await readList({ database, cursors }, list, viewer, args);
      noteAthletes(context, page.nodes);
      return withNodes(page, await sight(context, page.nodes));
    },
  };
}

export type AthleteReads = ReturnType<typeof createAthleteReads>;

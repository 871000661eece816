/** What a list of athletes is read from: sports and nationalities are rows of tables of their own, whose indexes have the order of creation. */
import { expandPositions, sports } from '../../../schema/sports.ts';
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import type { Sort } from '../../../platform/lists/page.ts';
import type { AthleteFilter, AthleteSort } from '../resolvers.generated.ts';
import type { AthleteRow } from './rows.ts';

/** What a list is read from, by which conditions, and in which order. */
export interface ListTables {
  readonly from?: Sql;
  readonly where: readonly Sql[];
  readonly sort: Sort<AthleteRow>;
}

const onlyOf = <Value>(values: readonly Value[] | null | undefined): Value | null =>
  values?.length === 1 ? (values[0] ?? null) : null;

const asksFacts = ({ discipline, position, level }: AthleteFilter): boolean => !!(discipline ?? position ?? level);

/** Sport, discipline, position and level are asked of one and the same sport of the athlete: of the table `athlete_sport`, as `s`. */
function sportConditions({ sport, discipline, position, level }: AthleteFilter): Sql[] {
  // what no sport of these has is there for nobody: the many of the sport would be looked through for it
  if (sport && discipline && !sport.some((name) => sports[name].disciplines.some((each) => discipline.includes(each))))
    return [sql`false`];
  const conditions: Sql[] = [];
  if (sport) conditions.push(oneOf(sql`s.sport`, sport));
  if (discipline) conditions.push(oneOf(sql`s.discipline`, discipline));
  if (position) conditions.push(sql`s.positions && ${expandPositions(onlyOf(sport), position)}`);
  if (level) conditions.push(oneOf(sql`s.level`, level));
  return conditions;
}

const isTrueOfOne = (table: Sql, conditions: readonly Sql[]): Sql[] =>
  conditions.length === 0
    ? []
    : [sql`exists (select from ${table} where ${join([sql`athlete_id = athlete.id`, ...conditions], ' and ')})`];

const sportTable = sql`athlete_sport s`;
const nationalityTable = sql`athlete_nationality n`;

const byCreation: readonly AthleteSort[] = ['CREATED_AT_ASC', 'CREATED_AT_DESC'];

/** The part of a list that is about sports and nationalities. */
export function tablesOf(filter: AthleteFilter, order: AthleteSort, sort: Sort<AthleteRow>): ListTables {
  const { sport, nationality } = filter;
  if (sport && nationality && !asksFacts(filter))
    return { where: [sql`athlete.sport_codes && ${sport}`, sql`athlete.nationalities && ${nationality}`], sort };
  const ofSport = sportConditions(filter);
  const ofNation = nationality ? [oneOf(sql`n.nationality`, nationality)] : [];
  // by one value there is one row of an athlete, and its table may give the order
  if (byCreation.includes(order) && !filter.updatedSince) {
    // the index of countries has that order, too, and fewer athletes between those of the sport
    if (onlyOf(sport) && (asksFacts(filter) || !filter.country)) {
      const from = sql`athlete join ${sportTable} on s.athlete_id = athlete.id`;
      const where = [...ofSport, ...isTrueOfOne(nationalityTable, ofNation)];
      return { from, where, sort: { ...sort, column: sql`s.created_at`, id: sql`s.athlete_id` } };
    }
    if (onlyOf(nationality)) {
      const from = sql`athlete join ${nationalityTable} on n.athlete_id = athlete.id`;
      const where = [...ofNation, ...isTrueOfOne(sportTable, ofSport)];
      return { from, where, sort: { ...sort, column: sql`n.created_at`, id: sql`n.athlete_id` } };
    }
  }
  return { where: [...isTrueOfOne(sportTable, ofSport), ...isTrueOfOne(nationalityTable, ofNation)], sort };
}

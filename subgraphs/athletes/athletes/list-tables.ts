/** Chooses the tables that a list of athletes reads. Sports and nationalities have separate tables, indexed by creation time. */
import { expandPositions } from '../../../schema/position-codes.ts';
import { join, sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import type { Sort } from '../../../platform/lists/page.ts';
import { rejectFilter, reversedRange, unknownCodes, withoutContract } from '../../runtime/filter-violations.ts';
import type { AthleteFilter, AthleteSort } from '../generated/resolvers.ts';
import type { AthleteRow } from './rows.ts';

/** The tables, the conditions and the order of a list. */
export interface ListTables {
  readonly from?: Sql;
  readonly where: readonly Sql[];
  readonly sort: Sort<AthleteRow>;
}

const onlyOf = <Value>(values: readonly Value[] | null | undefined): Value | null =>
  values?.length === 1 ? (values[0] ?? null) : null;

const hasSportDetails = ({ discipline, position, level }: AthleteFilter): boolean => !!(discipline ?? position ?? level);

/** Throws Problem parameter_invalid (400) for codes that no requested sport has, and for filters that match nothing. */
export function requireValidFilter(filter: AthleteFilter): void {
  const { sport, discipline, position, ageMin, ageMax, heightCmMin, heightCmMax } = filter;
  rejectFilter([
    ...unknownCodes('discipline', 'discipline', sport, discipline),
    ...unknownCodes('position', 'position', sport, position),
    ...reversedRange(['ageMin', ageMin], ['ageMax', ageMax]),
    ...reversedRange(['heightCmMin', heightCmMin], ['heightCmMax', heightCmMax]),
    ...withoutContract(filter),
  ]);
}

/**
 * Sport, discipline, position and level match the same sport of an athlete: one row of `athlete_sport`, as `s`. The end of a contract there
 * may be of a past membership: it only makes the list fast (0022-contracts-of-sports.sql).
 */
function sportConditions({ sport, discipline, position, level, contractUntil }: AthleteFilter): Sql[] {
  const conditions: Sql[] = [];
  if (sport) conditions.push(oneOf(sql`s.sport`, sport));
  if (discipline) conditions.push(oneOf(sql`s.discipline`, discipline));
  if (position) conditions.push(sql`s.positions && ${expandPositions(onlyOf(sport), position)}`);
  if (level) conditions.push(oneOf(sql`s.level`, level));
  if (contractUntil && conditions.length > 0) conditions.push(sql`s.contract_until <= ${contractUntil}::date`);
  return conditions;
}

const existsIn = (table: Sql, conditions: readonly Sql[]): Sql[] =>
  conditions.length === 0
    ? []
    : [sql`exists (select from ${table} where ${join([sql`athlete_id = athlete.id`, ...conditions], ' and ')})`];

const sportTable = sql`athlete_sport s`;
const nationalityTable = sql`athlete_nationality n`;

const byCreation: readonly AthleteSort[] = ['CREATED_AT_ASC', 'CREATED_AT_DESC'];

/** The tables and conditions for the sport and nationality filters. */
export function tablesOf(filter: AthleteFilter, order: AthleteSort, sort: Sort<AthleteRow>): ListTables {
  const { sport, nationality } = filter;
  if (sport && nationality && !hasSportDetails(filter))
    return { where: [sql`athlete.sport_codes && ${sport}`, sql`athlete.nationalities && ${nationality}`], sort };
  const ofSport = sportConditions(filter);
  const ofNation = nationality ? [oneOf(sql`n.nationality`, nationality)] : [];
  // one value matches one row per athlete, so that the index of its table can give the order
  if (byCreation.includes(order) && !filter.updatedSince) {
    // the index by country has the same order and holds fewer athletes of other sports
    if (onlyOf(sport) && (hasSportDetails(filter) || !filter.country)) {
      const from = sql`athlete join ${sportTable} on s.athlete_id = athlete.id`;
      const where = [...ofSport, ...existsIn(nationalityTable, ofNation)];
      return { from, where, sort: { ...sort, column: sql`s.created_at`, id: sql`s.athlete_id` } };
    }
    if (onlyOf(nationality)) {
      const from = sql`athlete join ${nationalityTable} on n.athlete_id = athlete.id`;
      const where = [...ofNation, ...existsIn(sportTable, ofSport)];
      return { from, where, sort: { ...sort, column: sql`n.created_at`, id: sql`n.athlete_id` } };
    }
  }
  return { where: [...existsIn(sportTable, ofSport), ...existsIn(nationalityTable, ofNation)], sort };
}

/** Filters of athletes by their sports: discipline, position and level are asked of one and the same sport of the athlete. */
import { expandPositions, sports, type Sport } from '../../../schema/sports.ts';
import { join, sql, type Sql } from '../../../platform/database.ts';
import { oneOf } from '../../../platform/one-of.ts';
import type { Sort } from '../../../platform/page.ts';
import type { AthleteFilter, AthleteSort } from '../resolvers.generated.ts';
import type { AthleteRow } from './athlete-row.ts';

const onlyOf = (sport: AthleteFilter['sport']): Sport | null => (sport?.length === 1 ? (sport[0] ?? null) : null);

const asksFacts = ({ discipline, position, level }: AthleteFilter): boolean => !!(discipline ?? position ?? level);

/** Of the table `athlete_sport`, as `s`. */
function factsOf({ sport, discipline, position, level }: AthleteFilter): Sql[] {
  // what no sport of these has is there for nobody: the many of the sport would be looked through for it
  if (sport && discipline && !sport.some((name) => sports[name].disciplines.some((each) => discipline.includes(each))))
    return [sql`false`];
  const facts: Sql[] = [];
  if (sport) facts.push(oneOf(sql`s.sport`, sport));
  if (discipline) facts.push(oneOf(sql`s.discipline`, discipline));
  if (position) facts.push(sql`s.positions && ${expandPositions(onlyOf(sport), position)}`);
  if (level) facts.push(oneOf(sql`s.level`, level));
  return facts;
}

const byCreation: readonly AthleteSort[] = ['CREATED_AT_ASC', 'CREATED_AT_DESC'];

/** What a list is read from, by which conditions, and in which order. */
interface Part {
  readonly from?: Sql;
  readonly where: readonly Sql[];
  readonly sort: Sort<AthleteRow>;
}

/** The part of a list that is about sports. Facts of one sport are read in the order of creation from an index that holds them. */
export function ofSports(filter: AthleteFilter, order: AthleteSort, sort: Sort<AthleteRow>): Part {
  if (!asksFacts(filter)) return { where: filter.sport ? [sql`athlete.sport_codes && ${filter.sport}`] : [], sort };
  const facts = factsOf(filter);
  const inOrder = onlyOf(filter.sport) !== null && byCreation.includes(order) && !filter.updatedSince;
  if (!inOrder)
    return {
      where: [sql`exists (select from athlete_sport s where s.athlete_id = athlete.id and ${join(facts, ' and ')})`],
      sort,
    };
  const from = sql`athlete join athlete_sport s on s.athlete_id = athlete.id`;
  return { from, where: facts, sort: { ...sort, column: sql`s.created_at`, id: sql`s.athlete_id` } };
}

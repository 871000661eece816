/** Pages of replays nested in matches, athletes and exports. */
import { sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { readableAthleteIds } from '../../clients/administrator-reads.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import { replays, type ReplayPage } from './rows.ts';
import { publicReplays } from './visibility.ts';

const list = { columns: replays.columns, table: 'replay', sort: sortBy(replays, 'createdAt', 'timestamptz', 'desc') } as const;

const ofAthletes = { ...list, owner: 'athlete_ids', owned: sql`replay.athlete_ids @> array[owner.id]` } as const;

/** Creates the reads of nested pages of replays. */
export function createReplayPages({ database, cursors }: ListServices) {
  /** A page of public replays for each match, in one statement. */
  const pagesOfMatches: BatchRead<PageKey, ReplayPage> = (keys, { notes }) => {
    notes.person = true;
    notes.expires = true;
    const ofMatches = { ...list, name: 'replays.ofMatches', owner: 'match_id', where: [publicReplays] };
    return readPages(database, cursors, ofMatches, keys);
  };

  /** A page of public replays for each athlete, in one statement. Athletes that the viewer cannot read have none. */
  const pagesOfAthletes: BatchRead<PageKey, ReplayPage> = async (keys, context) => {
    const { viewer, notes } = context;
    notes.person = true;
    notes.expires = true;
    const athleteIds = keys.map(({ owner }) => owner);
    const known = await readableAthleteIds(context, athleteIds, 'COMPETITIONS');
    const where = [publicReplays, sql`owner.id = any(${[...known]}::uuid[])`];
    if (viewer.sport) where.push(sql`replay.sport = ${viewer.sport}`);
    return readPages(database, cursors, { ...ofAthletes, name: 'replays.ofAthletes', where }, keys);
  };

  /** A page of replays for each exported athlete: public ones, and those of the viewer's account in any state. */
  const pagesExported: BatchRead<PageKey, ReplayPage> = (keys, { viewer }) => {
    const where = [sql`((${publicReplays}) or replay.account_id = ${viewer.accountId}::uuid)`];
    return readPages(database, cursors, { ...ofAthletes, name: 'replays.exported', where }, keys);
  };

  return { pagesOfMatches, pagesOfAthletes, pagesExported };
}

/** Locks and reads the existing matches of a batch before its first item, in four statements for any number of items. */
import { sql } from '../../../platform/database/database.ts';
import { externalIdsOf, findByExternalId, type ExternalId } from '../../../platform/writes/external-id.ts';
import { lockRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { readEntries } from '../match-participants/reads.ts';
import type { MatchParticipantRow } from '../match-participants/rows.ts';
import { matchResource, type MatchRow } from './rows.ts';

/** A match that the transaction has locked. */
export interface KnownMatch {
  readonly match: MatchRow;
  readonly entries: readonly MatchParticipantRow[];
  readonly externalIds: readonly ExternalId[];
}

interface BatchItem {
  readonly externalIds?: readonly ExternalId[] | null | undefined;
}

/** Finds a match by the first external ID of an item. A later item with the same ID reads the match again, because the first one changed it. */
export type KnownMatches = (first: ExternalId) => Promise<KnownMatch | null>;

const keyOf = ({ scheme, value }: ExternalId): string => JSON.stringify([scheme, value]);

async function readMatch(transaction: WriteTransaction, accountId: string, first: ExternalId): Promise<KnownMatch | null> {
  const id = await findByExternalId(transaction, 'match', accountId, first);
  if (id === null) return null;
  const match = await lockRow(transaction, matchResource, id);
  const [externalIds = []] = await externalIdsOf(transaction, 'match', [id]);
  return { match, entries: await readEntries(transaction, [id]), externalIds };
}

/** Locks the account's matches that the items refer to, in the order of their ids, and reads what belongs to them. */
export async function lockKnownMatches(
  transaction: WriteTransaction,
  accountId: string,
  items: readonly BatchItem[],
): Promise<KnownMatches> {
  const firsts = items.flatMap(({ externalIds }) => externalIds?.[0] ?? []);
  const found = await transaction.query<ExternalId & { id: string }>(sql`/* matches.findAll */
    select e.resource_id as id, e.scheme, e.value from external_id e
      join jsonb_to_recordset(${JSON.stringify(firsts)}::jsonb) as f(scheme text, value text) using (scheme, value)
    where e.resource_type = 'match' and e.account_id = ${accountId}`);
  const known = new Map<string, KnownMatch | null>(firsts.map((first) => [keyOf(first), null]));
  if (found.length > 0) {
    const matches = await transaction.query<MatchRow>(sql`/* matches.lockAll */ select ${matchResource.table.columns} from match
      where id = any(${found.map(({ id }) => id)}::uuid[]) order by id for update`);
    const ids = matches.map(({ id }) => id);
    const entries = Map.groupBy(await readEntries(transaction, ids), ({ matchId }) => matchId);
    const externalIds = new Map((await externalIdsOf(transaction, 'match', ids)).map((own, index) => [ids[index], own]));
    const byId = new Map(matches.map((match) => [match.id, match]));
    for (const each of found) {
      const match = byId.get(each.id);
      if (match)
        known.set(keyOf(each), {
          match,
          entries: entries.get(match.id) ?? [],
          externalIds: externalIds.get(match.id) ?? [],
        });
    }
  }
  return async (first) => {
    const key = keyOf(first);
    const match = known.get(key);
    known.delete(key);
    return match === undefined ? readMatch(transaction, accountId, first) : match;
  };
}

/** Whether a match already has exactly these external IDs, so that they need no write. */
export function hasExactly(match: KnownMatch, ids: readonly ExternalId[]): boolean {
  const wanted = new Set(ids.map(keyOf));
  return wanted.size === match.externalIds.length && match.externalIds.every((id) => wanted.has(keyOf(id)));
}

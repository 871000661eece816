/** Groups rows by match, in the order of the match IDs. */
export function groupByMatch<Row extends { matchId: string }>(ids: readonly string[], rows: readonly Row[]): Row[][] {
  const byMatch = Map.groupBy(rows, (row) => row.matchId);
  return ids.map((id) => byMatch.get(id) ?? []);
}

/** Counts per owner, as batch reads return them. */

export interface Count {
  readonly owner: string;
  readonly count: number;
}

/** The counts in the order of the owners; 0 without a row. */
export function countsOf(owners: readonly string[], rows: readonly Count[]): number[] {
  const byOwner = new Map(rows.map(({ owner, count }) => [owner, count]));
  return owners.map((owner) => byOwner.get(owner) ?? 0);
}

/** What the membership terms of an athlete say on a day: whether one is in force, and when the contract ends. */

/** Days of a membership, YYYY-MM-DD. Null if unknown. */
export interface MembershipTerm {
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly contractUntil: string | null;
}

export interface MembershipState {
  readonly freeAgent: boolean;
  /** The earliest end of a contract in force. */
  readonly contractUntil: string | null;
  /** The next day on which the state can differ. */
  readonly changesOn: string | null;
}

const earliest = (days: readonly (string | null)[]): string | null => days.filter((day) => day !== null).sort()[0] ?? null;

const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** The state on a day. */
export function membershipState(terms: readonly MembershipTerm[], today: string): MembershipState {
  const current = terms.filter(({ startDate, endDate }) => (startDate ?? today) <= today && (endDate ?? today) >= today);
  const changes = terms.flatMap(({ startDate, endDate }) => [startDate, endDate === null ? null : nextDay(endDate)]);
  return {
    freeAgent: current.length === 0,
    contractUntil: earliest(current.map(({ contractUntil }) => contractUntil)),
    changesOn: earliest(changes.filter((day) => day !== null && day > today)),
  };
}

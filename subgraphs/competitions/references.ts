/** References to resources of other areas. The router resolves them. */
export interface AthleteReference {
  readonly ref: string;
}

export interface TeamReference {
  readonly id: string;
}

export interface OrganizationReference {
  readonly id: string;
}

/** The reference to an athlete; null without an ID. */
export const athleteReference = (id: string | null): AthleteReference | null => (id === null ? null : { ref: id });

/** The reference to a team; null without an ID. */
export const teamReference = (id: string | null): TeamReference | null => (id === null ? null : { id });

/** What this area says of resources of other areas: enough for the router to ask them. */
export interface AthleteReference {
  readonly ref: string;
}

export interface TeamReference {
  readonly id: string;
}

export interface OrganizationReference {
  readonly id: string;
}

/** The reference of an athlete; null without one. */
export const athleteOf = (id: string | null): AthleteReference | null => (id === null ? null : { ref: id });

/** The reference of a team; null without one. */
export const teamOf = (id: string | null): TeamReference | null => (id === null ? null : { id });

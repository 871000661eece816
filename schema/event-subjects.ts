/** The types of the subjects of events, and the representation that events have of them. */

/** The node types of subjects, and the REST operation whose representation an event contains. */
export const subjectOperations = {
  Athlete: 'getAthlete',
  AthleteStatistics: 'getAthleteStatistics',
  Competition: 'getCompetition',
  Match: 'getMatch',
  Membership: 'getMembership',
  Opportunity: 'getOpportunity',
  Organization: 'getOrganization',
  Replay: 'getReplay',
  Season: 'getSeason',
  Team: 'getTeam',
  Transfer: 'getTransfer',
} as const;

export type SubjectType = keyof typeof subjectOperations;

/** The types of the subjects of events, and the representation that events have of them. */
import { eventResources, type EventResourceType } from './events.ts';

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

/** The resources that are the subjects of their own events. */
type OwnSubject = {
  readonly [Type in EventResourceType]: (typeof eventResources)[Type]['subject'] extends 'id' ? Type : never;
}[EventResourceType];

const ownSubjects = {
  athlete: 'Athlete',
  competition: 'Competition',
  match: 'Match',
  membership: 'Membership',
  opportunity: 'Opportunity',
  organization: 'Organization',
  replay: 'Replay',
  season: 'Season',
  statistics: 'AthleteStatistics',
  team: 'Team',
  transfer: 'Transfer',
} as const satisfies Record<OwnSubject, SubjectType>;

const isOwnSubject = (resource: EventResourceType): resource is OwnSubject => Object.hasOwn(ownSubjects, resource);

/** The type of the subject of a resource's events; null if the events contain ids only. */
export function subjectTypeOf(resource: EventResourceType): SubjectType | null {
  const { subject } = eventResources[resource];
  if (subject === 'matchId') return 'Match';
  if (subject === 'seasonId') return 'Season';
  return isOwnSubject(resource) ? ownSubjects[resource] : null;
}

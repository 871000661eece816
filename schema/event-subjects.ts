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

/** The types of resources that are their own subject. */
const ownTypes: Readonly<Partial<Record<EventResourceType, SubjectType>>> = {
  organization: 'Organization',
  team: 'Team',
  membership: 'Membership',
  transfer: 'Transfer',
  athlete: 'Athlete',
  statistics: 'AthleteStatistics',
  competition: 'Competition',
  season: 'Season',
  match: 'Match',
  replay: 'Replay',
  opportunity: 'Opportunity',
};

/** The type of the subject of events of a resource; null without a subject. Throws Error for a resource whose type is not listed here. */
export function subjectTypeOf(resource: EventResourceType): SubjectType | null {
  const { subject } = eventResources[resource];
  if (subject === null) return null;
  if (subject === 'matchId') return 'Match';
  if (subject === 'seasonId') return 'Season';
  const type = ownTypes[resource];
  if (type === undefined) throw new Error(`schema/event-subjects.ts has no type for ${resource}.`);
  return type;
}

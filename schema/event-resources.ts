/** The resources of events: the area that publishes them, and the resource whose readers can read the event. */
import type { Area } from './areas.ts';
import type { events, EventType } from './events.ts';

/** A resource type of events. */
export type EventResourceType = (typeof events)[EventType]['resource'];

/** The member of a changed row that holds the id of the subject; null if only accounts that the event names can read it. */
export type SubjectMember = 'id' | 'matchId' | 'seasonId' | null;

interface EventResource {
  readonly area: Area;
  /**
   * The subject of an event decides who can read the event: whoever can read the subject. It is the resource itself or what it is part of. The
   * feed returns the representation of the subject.
   */
  readonly subject: SubjectMember;
}

export const eventResources = {
  organization: { area: 'organizations', subject: 'id' },
  team: { area: 'organizations', subject: 'id' },
  membership: { area: 'organizations', subject: 'id' },
  transfer: { area: 'organizations', subject: 'id' },
  athlete: { area: 'athletes', subject: 'id' },
  consent: { area: 'athletes', subject: null },
  statistics: { area: 'athletes', subject: 'id' },
  absence: { area: 'athletes', subject: null },
  competition: { area: 'competitions', subject: 'id' },
  season: { area: 'competitions', subject: 'id' },
  contest: { area: 'competitions', subject: 'seasonId' },
  stage: { area: 'competitions', subject: 'seasonId' },
  participant: { area: 'competitions', subject: 'seasonId' },
  adjustment: { area: 'competitions', subject: 'seasonId' },
  tie_break_decision: { area: 'competitions', subject: 'seasonId' },
  match: { area: 'competitions', subject: 'id' },
  match_action: { area: 'competitions', subject: 'matchId' },
  result: { area: 'competitions', subject: 'matchId' },
  ranking: { area: 'competitions', subject: 'seasonId' },
  replay: { area: 'competitions', subject: 'id' },
  opportunity: { area: 'opportunities', subject: 'id' },
  application: { area: 'opportunities', subject: null },
  shortlist: { area: 'scouting', subject: null },
  shortlist_entry: { area: 'scouting', subject: null },
  scouting_report: { area: 'scouting', subject: null },
  contact_request: { area: 'scouting', subject: null },
  dead_letter_retry: { area: 'accounts', subject: null },
  account: { area: 'accounts', subject: null },
  contract: { area: 'accounts', subject: null },
  api_key: { area: 'accounts', subject: null },
  report: { area: 'accounts', subject: null },
  plan: { area: 'accounts', subject: null },
} as const satisfies Record<EventResourceType, EventResource>;

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

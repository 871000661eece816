/** The events that areas publish: the type, its resource and a description, and the resources that they are about. */
import type { Area } from './areas.ts';

export const events = {
  'organization.created': { resource: 'organization', description: 'An organization was created' },
  'organization.updated': { resource: 'organization', description: 'An organization changed' },
  'organization.status_changed': {
    resource: 'organization',
    description: 'An organization was activated, suspended, reinstated or closed',
  },
  'organization.verified': { resource: 'organization', description: 'A moderator verified or rejected an organization' },
  'organization.deleted': { resource: 'organization', description: 'A draft organization was deleted' },
  'team.created': { resource: 'team', description: 'A team was created' },
  'team.updated': { resource: 'team', description: 'A team changed' },
  'team.deleted': { resource: 'team', description: 'An unreferenced team was deleted' },
  'membership.created': { resource: 'membership', description: 'A membership was created, invited or requested' },
  'membership.updated': { resource: 'membership', description: 'A membership changed' },
  'membership.status_changed': {
    resource: 'membership',
    description: 'A membership was confirmed, declined, loaned, recalled or ended',
  },
  'membership.transferred': {
    resource: 'membership',
    description: 'A membership ended and a new one started at another organization',
  },
  'transfer.created': { resource: 'transfer', description: 'A transfer of an athlete was recorded or proposed' },
  'transfer.updated': { resource: 'transfer', description: 'A transfer changed' },
  'transfer.status_changed': { resource: 'transfer', description: 'A transfer was confirmed or declined' },
  'transfer.deleted': { resource: 'transfer', description: 'A transfer was deleted' },
  'athlete.created': { resource: 'athlete', description: 'An athlete was created' },
  'athlete.updated': { resource: 'athlete', description: 'An athlete changed' },
  'athlete.status_changed': { resource: 'athlete', description: 'An athlete was activated, deactivated, suspended or erased' },
  'athlete.verified': { resource: 'athlete', description: 'A moderator verified or rejected an athlete' },
  'athlete.merged': { resource: 'athlete', description: 'A moderator merged two profiles of the same athlete' },
  'consent.given': { resource: 'consent', description: 'A guardian gave consent' },
  'consent.withdrawn': { resource: 'consent', description: 'A guardian withdrew consent' },
  'athlete.deleted': { resource: 'athlete', description: 'A draft athlete was deleted' },
  'statistics.updated': { resource: 'statistics', description: 'Statistics of an athlete changed' },
  'absence.created': { resource: 'absence', description: 'An absence of an athlete was recorded' },
  'absence.updated': { resource: 'absence', description: 'An absence changed' },
  'absence.deleted': { resource: 'absence', description: 'An absence was deleted' },
  'competition.created': { resource: 'competition', description: 'A competition was created' },
  'competition.updated': { resource: 'competition', description: 'A competition changed' },
  'competition.status_changed': { resource: 'competition', description: 'A competition was published or archived' },
  'competition.deleted': { resource: 'competition', description: 'A draft competition was deleted' },
  'season.created': { resource: 'season', description: 'A season was created' },
  'season.updated': { resource: 'season', description: 'A season changed' },
  'season.status_changed': { resource: 'season', description: 'A season started, finished or was cancelled' },
  'contest.created': { resource: 'contest', description: 'A contest of a season was created' },
  'contest.updated': { resource: 'contest', description: 'A contest of a season changed' },
  'contest.deleted': { resource: 'contest', description: 'A contest of a season was deleted' },
  'stage.created': { resource: 'stage', description: 'A stage of a season was created' },
  'stage.updated': { resource: 'stage', description: 'A stage of a season changed' },
  'stage.deleted': { resource: 'stage', description: 'A stage of a season was deleted' },
  'participant.created': { resource: 'participant', description: 'A participant of a season was created' },
  'participant.updated': { resource: 'participant', description: 'A participant of a season changed' },
  'participant.deleted': { resource: 'participant', description: 'A participant of a season was deleted' },
  'adjustment.created': { resource: 'adjustment', description: 'An adjustment of points or time was created' },
  'adjustment.updated': { resource: 'adjustment', description: 'An adjustment of points or time changed' },
  'adjustment.deleted': { resource: 'adjustment', description: 'An adjustment of points or time was deleted' },
  'tie_break_decision.created': { resource: 'tie_break_decision', description: 'A tie-break decision was created' },
  'tie_break_decision.updated': { resource: 'tie_break_decision', description: 'A tie-break decision changed' },
  'tie_break_decision.deleted': { resource: 'tie_break_decision', description: 'A tie-break decision was deleted' },
  'match.created': { resource: 'match', description: 'A match was created' },
  'match.updated': { resource: 'match', description: 'A match, its participants or a lineup changed' },
  'match.status_changed': { resource: 'match', description: 'A match was scheduled, started, abandoned, postponed or cancelled' },
  'match.finished': { resource: 'match', description: 'A match finished' },
  'match.deleted': { resource: 'match', description: 'A match that had not started was deleted' },
  'match_action.created': { resource: 'match_action', description: 'A match action was recorded' },
  'match_action.updated': { resource: 'match_action', description: 'A match action was corrected' },
  'match_action.deleted': { resource: 'match_action', description: 'A match action was deleted' },
  'result.recorded': { resource: 'result', description: 'A provisional result was recorded' },
  'result.certified': { resource: 'result', description: 'A result became official; includes the places that changed' },
  'result.corrected': {
    resource: 'result',
    description: 'An official result was corrected; includes both versions and the places that changed',
  },
  'result.annulled': { resource: 'result', description: 'A result was annulled; includes the places that changed' },
  'standings.updated': { resource: 'ranking', description: 'Places of a ranking changed' },
  'replay.created': { resource: 'replay', description: 'A replay was created' },
  'replay.updated': { resource: 'replay', description: 'A replay or its tags changed' },
  'replay.status_changed': {
    resource: 'replay',
    description: 'A replay was published, hidden or taken down, or its rights expired',
  },
  'replay.deleted': { resource: 'replay', description: 'A draft replay was deleted' },
  'opportunity.created': { resource: 'opportunity', description: 'An opportunity was created' },
  'opportunity.updated': { resource: 'opportunity', description: 'An opportunity changed' },
  'opportunity.status_changed': {
    resource: 'opportunity',
    description: 'An opportunity was published, paused, closed, filled or cancelled',
  },
  'opportunity.deleted': { resource: 'opportunity', description: 'A draft opportunity was deleted' },
  'application.created': { resource: 'application', description: 'An application draft was created' },
  'application.updated': {
    resource: 'application',
    description: 'An application draft or an external id of an application changed',
  },
  'application.submitted': { resource: 'application', description: 'An application was submitted' },
  'application.status_changed': {
    resource: 'application',
    description: 'An application changed its status, its offer expired, or its opportunity or athlete was removed',
  },
  'application.deleted': { resource: 'application', description: 'An application draft was deleted' },
  'shortlist.created': { resource: 'shortlist', description: 'A shortlist was created' },
  'shortlist.updated': { resource: 'shortlist', description: 'A shortlist changed' },
  'shortlist.deleted': { resource: 'shortlist', description: 'A shortlist was deleted with its entries' },
  'shortlist_entry.created': { resource: 'shortlist_entry', description: 'An athlete was added to a shortlist' },
  'shortlist_entry.updated': { resource: 'shortlist_entry', description: 'Priority or notes of an entry changed' },
  'shortlist_entry.moved': { resource: 'shortlist_entry', description: 'An entry moved to another stage' },
  'shortlist_entry.deleted': { resource: 'shortlist_entry', description: 'An athlete was removed from a shortlist' },
  'scouting_report.created': { resource: 'scouting_report', description: 'A scouting report was created' },
  'contact_request.created': { resource: 'contact_request', description: 'Contact with an athlete was requested' },
  'contact_request.status_changed': {
    resource: 'contact_request',
    description: 'A contact request was accepted or declined, or expired',
  },
  'contact_request.deleted': { resource: 'contact_request', description: 'A contact request was deleted with its athlete' },
  'account.created': { resource: 'account', description: 'An account was created' },
  'account.updated': { resource: 'account', description: 'An account changed' },
  'account.status_changed': { resource: 'account', description: 'An account was suspended, reinstated or closed' },
  'contract.changed': {
    resource: 'contract',
    description: 'A contract that overrides the limits of a plan was set or ended',
  },
  'api_key.issued': { resource: 'api_key', description: 'A key was issued' },
  'api_key.updated': {
    resource: 'api_key',
    description: 'A key was changed, disabled or enabled, or a plan change was scheduled or withdrawn',
  },
  'api_key.rotated': { resource: 'api_key', description: 'A key was rotated; it remains valid until its grace period ends' },
  'api_key.plan_changed': { resource: 'api_key', description: 'A key moved to another plan' },
  'api_key.revoked': { resource: 'api_key', description: 'A key was revoked' },
  'quota.threshold_reached': {
    resource: 'api_key',
    description: 'A key lineage used 50, 80 or 100 percent of its daily or monthly quota',
  },
  'report.created': { resource: 'report', description: 'Content was reported to the moderators' },
  'report.resolved': { resource: 'report', description: 'A moderator upheld or dismissed a report' },
  'report.deleted': { resource: 'report', description: 'A report was deleted with its athlete' },
  'plan.changed': { resource: 'plan', description: 'A plan or a new version of a plan was created' },
  'dead_letter_retry.requested': {
    resource: 'dead_letter_retry',
    description: 'An administrator requested the retry of dead letters',
  },
  'webhook_endpoint.created': { resource: 'webhook_endpoint', description: 'A webhook endpoint was created' },
  'webhook_endpoint.updated': { resource: 'webhook_endpoint', description: 'A webhook endpoint was changed or enabled' },
  'webhook_endpoint.disabled': {
    resource: 'webhook_endpoint',
    description: 'A webhook endpoint was disabled: by its account, or after failures',
  },
  'webhook_endpoint.deleted': { resource: 'webhook_endpoint', description: 'A webhook endpoint was deleted' },
  'webhook.test': {
    resource: 'webhook_endpoint',
    description: 'A test of a webhook endpoint; only this endpoint receives it, and it is not in the feed',
  },
} as const satisfies Record<string, { resource: string; description: string }>;

export type EventType = keyof typeof events;

/** A resource type of events. */
export type EventResourceType = (typeof events)[EventType]['resource'];

/** The member of a changed row that holds the id of the subject; null if only accounts that the event names can read it. */
export type SubjectMember = 'id' | 'matchId' | 'seasonId' | null;

interface EventResource {
  readonly area: Area;
  /**
   * Viewers who can read the subject can read the event. The subject is the resource itself, or the match or season that contains it. The
   * feed returns the representation of the subject.
   */
  readonly subject: SubjectMember;
  /** The events have the sports of the resource, which the filter `sport` of the feed compares. */
  readonly hasSport?: true;
}

export const eventResources = {
  organization: { area: 'organizations', subject: 'id', hasSport: true },
  team: { area: 'organizations', subject: 'id', hasSport: true },
  membership: { area: 'organizations', subject: 'id', hasSport: true },
  transfer: { area: 'organizations', subject: 'id', hasSport: true },
  athlete: { area: 'athletes', subject: 'id', hasSport: true },
  consent: { area: 'athletes', subject: null },
  statistics: { area: 'athletes', subject: 'id', hasSport: true },
  absence: { area: 'athletes', subject: null },
  competition: { area: 'competitions', subject: 'id', hasSport: true },
  season: { area: 'competitions', subject: 'id', hasSport: true },
  contest: { area: 'competitions', subject: 'seasonId', hasSport: true },
  stage: { area: 'competitions', subject: 'seasonId', hasSport: true },
  participant: { area: 'competitions', subject: 'seasonId', hasSport: true },
  adjustment: { area: 'competitions', subject: 'seasonId', hasSport: true },
  tie_break_decision: { area: 'competitions', subject: 'seasonId', hasSport: true },
  match: { area: 'competitions', subject: 'id', hasSport: true },
  match_action: { area: 'competitions', subject: 'matchId' },
  result: { area: 'competitions', subject: 'matchId', hasSport: true },
  ranking: { area: 'competitions', subject: 'seasonId' },
  replay: { area: 'competitions', subject: 'id', hasSport: true },
  opportunity: { area: 'opportunities', subject: 'id', hasSport: true },
  application: { area: 'opportunities', subject: null, hasSport: true },
  shortlist: { area: 'scouting', subject: null },
  shortlist_entry: { area: 'scouting', subject: null },
  scouting_report: { area: 'scouting', subject: null, hasSport: true },
  contact_request: { area: 'scouting', subject: null },
  dead_letter_retry: { area: 'accounts', subject: null },
  account: { area: 'accounts', subject: null },
  contract: { area: 'accounts', subject: null },
  api_key: { area: 'accounts', subject: null },
  report: { area: 'accounts', subject: null },
  plan: { area: 'accounts', subject: null },
  webhook_endpoint: { area: 'accounts', subject: null },
} as const satisfies Record<EventResourceType, EventResource>;

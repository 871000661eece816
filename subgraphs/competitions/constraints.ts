/** Constraint violations of the competitions area that the caller can fix, as API errors. */
import type { Constraints } from '../../platform/database/constraint.ts';

/** Foreign keys `…_id` that refer to a resource: table → what to do first. */
function inUse(resource: string, referring: Readonly<Record<string, string>>): Constraints {
  return Object.fromEntries(
    Object.entries(referring).map(([table, detail]) => [`${table}_${resource}_id_fkey`, { code: 'in_use', detail }] as const),
  );
}

export const competitionConstraints = {
  competition_one_organizer: {
    code: 'validation_failed',
    detail: 'Set either `organizerId` or `organizerName`. Delete the other one with null.',
  },
  season_dates: { code: 'validation_failed', detail: '`endDate` must not be before `startDate`.' },
  season_name: { code: 'conflict', detail: 'The competition already has a season with this name.' },
  competition_promotes_to_id_fkey: {
    code: 'in_use',
    detail: 'Another competition promotes to this one. Change its `promotesToId` first.',
  },
  match_parent_id_fkey: { code: 'in_use', detail: 'Another match is part of this match. Delete it first.' },
  season_competition_id_fkey: { code: 'in_use', detail: 'This competition has seasons. Archive it instead.' },
  contest_name: { code: 'conflict', detail: 'The season already has a contest with this name.' },
  stage_name: { code: 'conflict', detail: 'The contest already has a stage with this name.' },
  participant_team: { code: 'conflict', detail: 'The team is already a participant.' },
  participant_athlete: { code: 'conflict', detail: 'The athlete is already a participant.' },
  match_participant_once: {
    code: 'conflict',
    detail: 'A participant is entered twice in the match. Enter each participant once.',
  },
  result_match: { code: 'conflict', detail: 'The match already has a result. Read the result and update it.' },
  adjustment_one_kind: {
    code: 'validation_failed',
    detail: 'Set either `points` or `timeMs`. Delete the other one with null.',
  },
  replay_of: { code: 'validation_failed', detail: 'A replay needs a match, an athlete or both.' },
  ...inUse('season', {
    contest: 'This season has contests. Delete them first.',
    stage: 'This season has stages. Delete them first.',
    participant: 'This season has participants. Delete them first.',
    match: 'This season has matches. Delete them first.',
    result: 'This season has results. Delete their matches first.',
    adjustment: 'This season has adjustments. Delete them first.',
    tie_break_decision: 'This season has tie-break decisions. Delete them first.',
    replay: 'Replays refer to matches of this season. Delete the replays first.',
  }),
  ...inUse('contest', {
    stage: 'This contest has stages. Delete them first.',
    participant: 'This contest has participants. Delete them first.',
    match: 'This contest has matches. Delete them first.',
    result: 'This contest has results. Delete their matches first.',
  }),
  ...inUse('stage', {
    match: 'This stage has matches. Delete them first.',
    result: 'This stage has results. Delete their matches first.',
    adjustment: 'This stage has adjustments. Delete them first.',
    tie_break_decision: 'This stage has tie-break decisions. Delete them first.',
  }),
  ...inUse('participant', {
    match_participant: 'This participant is entered in matches. Remove it from them first.',
    match_action: 'Match actions refer to this participant. Delete them first.',
    adjustment: 'An adjustment refers to this participant. Delete it first.',
    best_mark: 'A best mark refers to this participant. Delete the match of that mark first.',
  }),
  replay_match_id_fkey: { code: 'in_use', detail: 'Replays refer to this match. Delete them first.' },
  match_participant_source_match_id_fkey: {
    code: 'in_use',
    detail: 'A placeholder in another match refers to this match. Change the placeholder first.',
  },
} as const satisfies Constraints;

/** Violated constraints of the competitions area that are the caller's to mend. */
import type { Constraints } from '../../platform/database/constraint.ts';

/** What refers to a resource by its foreign key `…_id`: table → what to do about it. */
function inUse(resource: string, referring: Readonly<Record<string, string>>): Constraints {
  return Object.fromEntries(
    Object.entries(referring).map(([table, detail]) => [`${table}_${resource}_id_fkey`, { code: 'in_use', detail }] as const),
  );
}

export const competitionConstraints: Constraints = {
  competition_one_organizer: {
    code: 'validation_failed',
    detail: 'Give either organizerId or organizerName; delete the other one with null.',
  },
  season_dates: { code: 'validation_failed', detail: 'A season cannot end before it starts.' },
  season_name: { code: 'conflict', detail: 'The competition already has a season of this name.' },
  season_competition_id_fkey: { code: 'in_use', detail: 'Seasons refer to this competition.' },
  contest_name: { code: 'conflict', detail: 'The season already has a contest of this name.' },
  stage_name: { code: 'conflict', detail: 'The contest already has a stage of this name.' },
  participant_team: { code: 'conflict', detail: 'The team takes part there already.' },
  participant_athlete: { code: 'conflict', detail: 'The athlete takes part there already.' },
  match_participant_once: { code: 'conflict', detail: 'Somebody is entered in the match twice: name each participant once.' },
  result_match: { code: 'conflict', detail: 'The match has a result already: read it, and change that one.' },
  adjustment_one_kind: { code: 'validation_failed', detail: 'Give either points or timeMs; delete the other one with null.' },
  replay_of: { code: 'validation_failed', detail: 'A replay is of a match, of an athlete, or of both.' },
  ...inUse('season', {
    contest: 'Contests belong to this season: delete them first.',
    stage: 'Stages belong to this season: delete them first.',
    participant: 'Participants are entered in this season: delete them first.',
    match: 'Matches belong to this season: delete them first.',
    result: 'Results belong to this season: delete their matches first.',
    adjustment: 'Adjustments belong to this season: delete them first.',
    tie_break_decision: 'Tie-break decisions belong to this season: delete them first.',
    replay: 'Replays show matches of this season: delete them first.',
  }),
  ...inUse('contest', {
    stage: 'Stages belong to this contest: delete them first.',
    participant: 'Participants are entered in this contest: delete them first.',
    match: 'Matches belong to this contest: delete them first.',
    result: 'Results belong to this contest: delete their matches first.',
  }),
  ...inUse('stage', {
    match: 'Matches belong to this stage: delete them first.',
    result: 'Results belong to this stage: delete their matches first.',
    adjustment: 'Adjustments count in this stage: delete them first.',
    tie_break_decision: 'Tie-break decisions are about this stage: delete them first.',
  }),
  ...inUse('participant', {
    match_participant: 'Matches name this participant: take it out of them first.',
    match_action: 'What happened in a match names this participant: delete that first.',
    adjustment: 'An adjustment is about this participant: delete it first.',
    best_mark: 'A best mark is of this participant: delete the match it was made in first.',
  }),
  replay_match_id_fkey: { code: 'in_use', detail: 'Replays refer to this match.' },
  match_participant_source_match_id_fkey: {
    code: 'in_use',
    detail: 'Who wins or loses this match takes part in another one: change that first.',
  },
};

/** A season of the demo data: participants, played matches and upcoming matches. */
import type { RankingRules } from './ranking-rules.ts';
import type { DemoCompetition, DemoSeason } from './demo.ts';

export type DemoCategory = 'MEN' | 'WOMEN' | 'MIXED' | 'OPEN';
export type DemoStageType =
  'LEAGUE' | 'GROUP' | 'KNOCKOUT' | 'QUALIFYING' | 'HEATS' | 'SEMIFINAL' | 'FINAL' | 'SWIM_OFF' | 'RACE_STAGE';

export interface DemoStage {
  readonly id: string;
  readonly name: string;
  readonly type: DemoStageType;
  readonly groups?: readonly string[];
  readonly bestOf?: number;
  readonly advancement?: readonly { readonly by: 'PLACE' | 'MARK'; readonly count: number; readonly toStageId: string | null }[];
}

/** In list order. */
export interface DemoContest {
  readonly id: string;
  readonly name: string;
  readonly eventCode?: string;
  readonly category?: DemoCategory;
  readonly weightClass?: string;
  readonly course?: string;
  readonly distanceMeters?: number;
  readonly relay?: boolean;
  /** The implicit contest of a season without contests. */
  readonly implied?: boolean;
  readonly stages: readonly DemoStage[];
}

/** Exactly one of team, athlete, members and name identifies the participant. */
export interface DemoParticipant {
  readonly id: string;
  /** Absent for the whole season. */
  readonly contestId?: string;
  readonly type: 'TEAM' | 'ATHLETE' | 'RELAY';
  readonly teamId?: string;
  readonly athleteId?: string;
  readonly memberIds?: readonly string[];
  /** Country of a team or relay; athletes have theirs in the athletes area. */
  readonly name?: string;
  readonly representsTeamId?: string;
  readonly representsCountry?: string;
  readonly group?: string;
  readonly seed?: number;
  /** Entry type; `YOUTH` for a rider eligible for the youth classification. */
  readonly entry?: string;
  readonly bib?: string;
}

/** The result of a participant in a match; marks are in the canonical unit of the event. */
export interface DemoPart {
  readonly outcome?: 'WIN' | 'LOSS' | 'DRAW' | 'NO_CONTEST';
  readonly rank?: number;
  readonly score?: number;
  readonly shootoutScore?: number;
  readonly periodScores?: readonly number[];
  readonly tries?: number;
  readonly forfeit?: boolean;
  readonly mark?: { readonly value: number; readonly unit: 'ms' | 'mm' | 'points' };
  readonly splits?: readonly number[];
  readonly countback?: readonly number[];
  readonly reactionTimeMs?: number;
  readonly windMmPerS?: number;
  readonly invalidResultMark?: 'DNS' | 'DNF' | 'DSQ' | 'NM';
  readonly bonusMs?: number;
  readonly penaltyMs?: number;
  readonly points?: number;
  readonly bonusPoints?: readonly { readonly type: string; readonly points: number }[];
  readonly qualified?: boolean;
}

export interface DemoPlayer {
  readonly athleteId: string;
  readonly position: string | null;
  readonly shirtNumber: number | null;
  readonly starter: boolean;
  readonly captain: boolean;
}

/** An entry of a match. */
export interface DemoEntry {
  readonly id: string;
  /** Null while unknown; the placeholder then describes the participant. */
  readonly participantId: string | null;
  readonly placeholder?: { readonly text: string; readonly sourceMatchId?: string; readonly outcome?: 'WINNER' | 'LOSER' };
  readonly side?: 'HOME' | 'AWAY' | 'RED' | 'BLUE';
  readonly lane?: number;
  readonly bib?: string;
  readonly seed?: number;
  readonly lineup?: readonly DemoPlayer[];
  /** The result of this entry; absent without a result. */
  readonly part?: DemoPart;
}

export type DemoActionType =
  | 'GOAL'
  | 'PENALTY_GOAL'
  | 'YELLOW_CARD'
  | 'RED_CARD'
  | 'TRY'
  | 'CONVERSION'
  | 'PENALTY_KICK'
  | 'TWO_POINTS'
  | 'THREE_POINTS'
  | 'FREE_THROW'
  | 'SET'
  | 'SUSPENSION'
  | 'SUBSTITUTION'
  | 'ACE';

export interface DemoAction {
  readonly id: string;
  readonly type: DemoActionType;
  readonly period: number;
  /** Minute of the match, from 1; null when play is not timed. */
  readonly minute: number | null;
  readonly participantId: string;
  readonly athleteId: string | null;
  readonly assistId: string | null;
  readonly scoreAfter: readonly [number, number] | null;
}

export type DemoResultMethod =
  'RETIREMENT' | 'KO_TKO' | 'SUBMISSION' | 'DECISION_UNANIMOUS' | 'DECISION_SPLIT' | 'DECISION_MAJORITY' | 'DISQUALIFICATION';

export interface DemoResult {
  readonly id: string;
  readonly status: 'PROVISIONAL' | 'OFFICIAL' | 'CORRECTED';
  readonly duration?: 'REGULAR' | 'EXTRA_TIME' | 'PENALTY_SHOOTOUT';
  readonly endedBy?: { readonly method: DemoResultMethod; readonly period: number | null; readonly clockMs: number | null };
  /** The tennis score as text, instead of scores of the periods. */
  readonly scoreText?: string;
  /** Reason of the correction. */
  readonly reason?: string;
  /** For a corrected result: the previous official results, in the order of the entries. */
  readonly before?: readonly DemoPart[];
  /** Time of recording. */
  readonly at: string;
}

export interface DemoReplay {
  readonly id: string;
  readonly title: string;
  readonly kind: 'FULL' | 'HIGHLIGHTS' | 'CLIP';
  readonly durationSeconds: number;
  readonly tags: readonly { readonly athleteId: string; readonly action: string; readonly atMs: number }[];
}

export interface DemoMatch {
  readonly id: string;
  readonly contestId: string;
  readonly stageId: string;
  readonly status: 'SCHEDULED' | 'TIMED' | 'FINISHED' | 'POSTPONED';
  readonly statusReason?: string;
  readonly group?: string;
  readonly round?: string;
  readonly matchday?: number;
  readonly date: string;
  /** Null when only the day is known. */
  readonly startTime: string | null;
  readonly timeZone: string;
  readonly venue?: { readonly name: string; readonly city: string; readonly country: string; readonly neutral: boolean };
  readonly format?: { readonly bestOf?: number; readonly periods?: number; readonly distanceMeters?: number };
  readonly officials?: readonly { readonly name: string; readonly role: string; readonly country: string }[];
  readonly attendance?: number;
  readonly entries: readonly DemoEntry[];
  readonly actions?: readonly DemoAction[];
  readonly result?: DemoResult;
  readonly replay?: DemoReplay;
}

export interface DemoAdjustment {
  readonly id: string;
  readonly stageId: string;
  readonly participantId: string;
  readonly points?: number;
  readonly timeMs?: number;
  readonly reason: string;
  readonly at: string;
}

/** The season of an athlete, counted from the matches whose result counts. */
export interface DemoPlayedSeason {
  readonly athleteId: string;
  readonly season: DemoSeason;
  readonly competition: DemoCompetition;
  /** Null for an athlete who does not play for a team. */
  readonly teamId: string | null;
  readonly eventCode: string | null;
  readonly matchesPlayed: number;
  /** Null in sports that do not count minutes. */
  readonly minutesPlayed: number | null;
  /** The day of the last match. */
  readonly asOf: string;
  /** Metrics of the registry that matches determine; a count that is absent is zero. */
  readonly counted: Readonly<Record<string, number>>;
}

export interface DemoEdition {
  readonly competition: DemoCompetition;
  readonly season: DemoSeason;
  /** Overrides the rules of the competition; absent for the rules of the sport. */
  readonly rules?: RankingRules;
  readonly contests: readonly DemoContest[];
  readonly participants: readonly DemoParticipant[];
  /** In dependency order: a match follows the matches whose winner or loser it references. */
  readonly matches: readonly DemoMatch[];
  readonly adjustments: readonly DemoAdjustment[];
  /** Also where the matches themselves have no team sheets. */
  readonly played: readonly DemoPlayedSeason[];
}

/** A generated season, before its matches are counted. */
export type DemoUncountedEdition = Omit<DemoEdition, 'played'>;

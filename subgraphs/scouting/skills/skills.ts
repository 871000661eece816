/**
 * The skills of each sport, by position group: which metrics measure the same skill, and how much it counts (docs/matching.md). A skill counts
 * once, however many of its metrics are known. Metrics of no skill, such as cards, are not scored.
 */
import type { MetricKey } from '../../../schema/metrics.ts';
import type { Sport } from '../../../schema/sports.ts';

export interface Skill {
  readonly title: string;
  readonly metrics: readonly MetricKey[];
  /** Weight by position group, or of all athletes in sports without positions. The weights of a group add up to 100. */
  readonly weights: number | Readonly<Record<string, number>>;
}

const skill = (title: string, metrics: readonly MetricKey[], weights: Skill['weights']): Skill => ({ title, metrics, weights });

const marks: readonly MetricKey[] = [
  'personalBestMs',
  'seasonBestMs',
  'personalBestMm',
  'seasonBestMm',
  'personalBestPoints',
  'seasonBestPoints',
];

/** Sport → code of the skill → skill, in display order. */
export const skills = {
  FOOTBALL: {
    FINISHING: skill('Finishing', ['goals', 'shots', 'shotsOnTarget'], { GK: 0, DF: 10, MF: 25, FW: 50 }),
    CREATION: skill('Chance creation', ['assists'], { GK: 0, DF: 15, MF: 25, FW: 25 }),
    PASSING: skill('Passing', ['passesCompleted', 'passAccuracyPct'], { GK: 15, DF: 20, MF: 25, FW: 10 }),
    DEFENDING: skill('Defending', ['tacklesWon', 'interceptions'], { GK: 0, DF: 35, MF: 15, FW: 5 }),
    GOALS_AGAINST: skill('Goals against', ['goalsConceded', 'cleanSheets'], { GK: 40, DF: 10, MF: 0, FW: 0 }),
    SHOT_STOPPING: skill('Shot stopping', ['saves'], { GK: 40, DF: 0, MF: 0, FW: 0 }),
    ATHLETICISM: skill('Speed and endurance', ['sprint30mMs', 'vo2max'], { GK: 5, DF: 10, MF: 10, FW: 10 }),
  },
  BASKETBALL: {
    SCORING: skill('Scoring', ['points', 'fieldGoalsMade', 'threePointersMade'], { G: 30, F: 30, C: 25 }),
    SHOOTING: skill('Shooting accuracy', ['fieldGoalPct', 'threePointPct'], { G: 15, F: 15, C: 15 }),
    CREATION: skill('Playmaking', ['assists'], { G: 25, F: 10, C: 5 }),
    BALL_SECURITY: skill('Ball security', ['turnovers'], { G: 5, F: 5, C: 5 }),
    REBOUNDING: skill('Rebounding', ['rebounds'], { G: 5, F: 20, C: 25 }),
    DEFENDING: skill('Defending', ['steals', 'blocks'], { G: 15, F: 15, C: 20 }),
    ATHLETICISM: skill('Endurance', ['vo2max'], { G: 5, F: 5, C: 5 }),
  },
  VOLLEYBALL: {
    ATTACK: skill('Attack', ['kills'], { S: 5, OH: 40, OP: 45, MB: 35, L: 0, BV: 30 }),
    SERVE: skill('Serve', ['aces'], { S: 30, OH: 15, OP: 20, MB: 10, L: 0, BV: 20 }),
    BLOCK: skill('Block', ['blocks'], { S: 20, OH: 10, OP: 20, MB: 40, L: 0, BV: 15 }),
    DEFENDING: skill('Defence', ['digs'], { S: 40, OH: 10, OP: 10, MB: 5, L: 45, BV: 15 }),
    RECEPTION: skill('Reception', ['receptionsPositive', 'receptionPct'], { S: 0, OH: 20, OP: 0, MB: 5, L: 50, BV: 15 }),
    ATHLETICISM: skill('Endurance', ['vo2max'], { S: 5, OH: 5, OP: 5, MB: 5, L: 5, BV: 5 }),
  },
  RUGBY: {
    FINISHING: skill('Try scoring', ['tries'], { FW: 10, BK: 30 }),
    CARRYING: skill('Carrying', ['metresGained'], { FW: 25, BK: 30 }),
    DEFENDING: skill('Tackling', ['tackles', 'tackleSuccessPct'], { FW: 40, BK: 25 }),
    TURNOVERS: skill('Turnovers won', ['turnoversWon'], { FW: 20, BK: 10 }),
    ATHLETICISM: skill('Endurance', ['vo2max'], { FW: 5, BK: 5 }),
  },
  COMBAT: {
    WINNING: skill('Winning', ['wins', 'losses'], 55),
    FINISHING: skill('Finishing', ['knockouts', 'submissions'], 15),
    STRIKING: skill('Striking', ['strikesLanded', 'strikesLandedPerMinute'], 15),
    DEFENDING: skill('Takedown defence', ['takedownDefencePct'], 10),
    ATHLETICISM: skill('Endurance', ['vo2max'], 5),
  },
  TENNIS: {
    WINNING: skill('Winning', ['matchesWon', 'winPct'], 40),
    RANKING: skill('Ranking', ['rankingPoints'], 30),
    SERVE: skill('Serve', ['aces', 'doubleFaults', 'firstServePct'], 15),
    PRESSURE: skill('Break points', ['breakPointsSavedPct'], 10),
    ATHLETICISM: skill('Endurance', ['vo2max'], 5),
  },
  ATHLETICS: {
    MARK: skill('Best mark', marks, 90),
    REACTION: skill('Reaction', ['reactionTimeMs'], 5),
    ATHLETICISM: skill('Endurance', ['vo2max'], 5),
  },
  SWIMMING: {
    MARK: skill('Best mark', ['personalBestMs', 'seasonBestMs'], 90),
    REACTION: skill('Reaction', ['reactionTimeMs'], 5),
    ATHLETICISM: skill('Endurance', ['vo2max'], 5),
  },
  CYCLING: {
    RESULTS: skill('Results', ['uciPoints'], { GC: 30, CLIMBER: 35, SPRINTER: 35, PUNCHEUR: 40, ROULEUR: 40, TIME_TRIALIST: 40 }),
    FINISHING: skill('Stage wins', ['stageWins'], {
      GC: 10,
      CLIMBER: 20,
      SPRINTER: 40,
      PUNCHEUR: 25,
      ROULEUR: 15,
      TIME_TRIALIST: 20,
    }),
    CLASSIFICATION: skill('General classification', ['gcTimeMs'], {
      GC: 30,
      CLIMBER: 10,
      SPRINTER: 0,
      PUNCHEUR: 5,
      ROULEUR: 5,
      TIME_TRIALIST: 5,
    }),
    POWER: skill('Power', ['wattsPerKg', 'vo2max'], {
      GC: 30,
      CLIMBER: 35,
      SPRINTER: 25,
      PUNCHEUR: 30,
      ROULEUR: 40,
      TIME_TRIALIST: 35,
    }),
  },
  HANDBALL: {
    SCORING: skill('Scoring', ['goals', 'shots', 'sevenMetreGoals'], { GK: 0, WG: 50, BC: 40, PV: 50 }),
    SHOOTING: skill('Shooting accuracy', ['shotEfficiencyPct'], { GK: 0, WG: 30, BC: 20, PV: 35 }),
    CREATION: skill('Playmaking', ['assists'], { GK: 10, WG: 15, BC: 35, PV: 10 }),
    SHOT_STOPPING: skill('Shot stopping', ['saves'], { GK: 85, WG: 0, BC: 0, PV: 0 }),
    ATHLETICISM: skill('Endurance', ['vo2max'], { GK: 5, WG: 5, BC: 5, PV: 5 }),
  },
} as const satisfies Record<Sport, Readonly<Record<string, Skill>>>;

/** Metrics with a better direction that say nothing about a skill: discipline, playing time, and counts that depend on the opponent. */
export const unscoredMetrics: readonly MetricKey[] = [
  'yellowCards',
  'redCards',
  'matchesPlayed',
  'minutesPlayed',
  'firstServesIn',
  'breakPointsFaced',
  'breakPointsSaved',
  'takedownsDefended',
];

/** Ranking rules as data, as federations publish them. A competition starts with the rules of its sport and may change them. */
export type TableCriterion =
  | 'POINTS'
  | 'POINTS_BEFORE_ROUNDING'
  | 'WINS'
  | 'FEWEST_LOSSES'
  | 'WIN_PERCENTAGE'
  | 'GROUP_WIN_PERCENTAGE'
  | 'DIVISION_WIN_PERCENTAGE'
  | 'DIVISION_WINNER'
  | 'DIVISION_WINNER_IF_THREE_TIED'
  | 'HEAD_TO_HEAD_WIN_PERCENTAGE'
  | 'HEAD_TO_HEAD_POINTS'
  | 'HEAD_TO_HEAD_DIFFERENCE'
  | 'HEAD_TO_HEAD_FOR'
  | 'DIFFERENCE'
  | 'FOR'
  | 'SET_DIFFERENCE'
  | 'SET_RATIO'
  | 'POINT_RATIO'
  | 'TRIES_DIFFERENCE'
  | 'TRIES_FOR'
  | 'AWAY_FOR'
  | DecisionCriterion;

/** Criteria that the organizer decides. */
export type DecisionCriterion = 'DISCIPLINARY' | 'PLAY_OFF' | 'DRAW_OF_LOTS';

export interface TableRules {
  readonly method: 'TABLE';
  /** Table points per outcome; `winExtra` and `lossExtra` apply after extra time, a shoot-out or a deciding set. */
  readonly points: {
    readonly win: number;
    readonly draw: number;
    readonly loss: number;
    readonly forfeitLoss?: number;
    readonly winExtra?: number;
    readonly lossExtra?: number;
  };
  readonly bonus: readonly {
    /** UNBEATEN: all matches played and won. */
    readonly type: 'TRIES_AT_LEAST' | 'TRIES_AHEAD' | 'LOSS_WITHIN' | 'UNBEATEN';
    /** Threshold of all types except UNBEATEN; without it they award nothing. */
    readonly n?: number;
    readonly points: number;
  }[];
  readonly order: readonly TableCriterion[];
  /**
   * ALL_TIED compares all participants tied on the preceding criteria. REAPPLY applies consecutive head-to-head criteria again to those
   * that they leave tied, before the next criterion. RESTART starts the list again for the participants that
   * remain tied, as soon as one is separated.
   */
  readonly headToHeadScope: 'ALL_TIED' | 'REAPPLY' | 'RESTART';
  /** ALL_PLAYED: head-to-head applies once the tied participants have played all their matches against each other. */
  readonly headToHeadWhen: 'ALWAYS' | 'ALL_PLAYED';
  /** Places `from`..`to` (1-based, inclusive) with a meaning: promotion, relegation, qualification. */
  readonly zones: readonly { readonly code: string; readonly from: number; readonly to: number }[];
}

export type RankingRules =
  | TableRules
  /** The best mark leads; equal marks share a rank (1, 2, 2, 4). */
  | { readonly method: 'BEST_MARK' }
  /** The sum of the `best` highest results, of each participant or of all who represent a team of the season. */
  | { readonly method: 'POINTS_BEST_N'; readonly best: number; readonly pointsOf?: 'PARTICIPANTS' | 'TEAMS' }
  /** As POINTS_BEST_N, over results of the last 52 weeks. */
  | { readonly method: 'ROLLING_52W'; readonly best: number }
  | { readonly method: 'ELO'; readonly start: number; readonly factor: number }
  | {
      readonly method: 'ACCUMULATED_TIME';
      readonly classifications: readonly ('GC' | 'POINTS' | 'MOUNTAINS' | 'YOUTH' | 'TEAM')[];
    };

const league = { method: 'TABLE', bonus: [], headToHeadScope: 'ALL_TIED', headToHeadWhen: 'ALWAYS', zones: [] } as const;
const football = { ...league, points: { win: 3, draw: 1, loss: 0 } } as const;
const rugby = { ...league, points: { win: 4, draw: 2, loss: 0 } } as const;

export const rankingRuleSets = {
  /** FIFA World Cup 2018, regulation 32.5; the Premier League (C.17) and the Bundesliga (SpO §2) start with the same criteria and end in a play-off. */
  FOOTBALL: {
    ...football,
    order: [
      'POINTS',
      'DIFFERENCE',
      'FOR',
      'HEAD_TO_HEAD_POINTS',
      'HEAD_TO_HEAD_DIFFERENCE',
      'HEAD_TO_HEAD_FOR',
      'DISCIPLINARY',
      'DRAW_OF_LOTS',
    ],
  },
  /** La Liga: only once both matches between the tied were played. */
  FOOTBALL_HEAD_TO_HEAD: {
    ...football,
    order: ['POINTS', 'HEAD_TO_HEAD_POINTS', 'HEAD_TO_HEAD_DIFFERENCE', 'DIFFERENCE', 'FOR', 'DISCIPLINARY', 'DRAW_OF_LOTS'],
    headToHeadWhen: 'ALL_PLAYED',
  },
  /** Serie A since 2022-23: a play-off match decides first place and relegation between two tied teams, before their earlier matches do. */
  FOOTBALL_SERIE_A: {
    ...football,
    order: ['POINTS', 'PLAY_OFF', 'HEAD_TO_HEAD_POINTS', 'HEAD_TO_HEAD_DIFFERENCE', 'DIFFERENCE', 'FOR', 'DRAW_OF_LOTS'],
    headToHeadWhen: 'ALL_PLAYED',
  },
  /** UEFA EURO 2024, article 20, and FIFA World Cup 2026, article 13: head-to-head criteria first, reapplied to the teams that they leave tied. */
  FOOTBALL_UEFA: {
    ...football,
    order: [
      'POINTS',
      'HEAD_TO_HEAD_POINTS',
      'HEAD_TO_HEAD_DIFFERENCE',
      'HEAD_TO_HEAD_FOR',
      'DIFFERENCE',
      'FOR',
      'DISCIPLINARY',
      'DRAW_OF_LOTS',
    ],
    headToHeadScope: 'REAPPLY',
  },
  /** LFP 518 ter, version until 2024-25, without away goals in head-to-head: difference, then head-to-head, then goals. */
  FOOTBALL_LIGUE_1: {
    ...football,
    order: [
      'POINTS',
      'DIFFERENCE',
      'HEAD_TO_HEAD_POINTS',
      'HEAD_TO_HEAD_DIFFERENCE',
      'HEAD_TO_HEAD_FOR',
      'FOR',
      'AWAY_FOR',
      'DISCIPLINARY',
    ],
  },
  /** MLS: most points, then wins, difference and goals, over the matches against both conferences. */
  FOOTBALL_MLS: {
    ...football,
    order: ['POINTS', 'WINS', 'DIFFERENCE', 'FOR', 'DISCIPLINARY', 'DRAW_OF_LOTS'],
  },
  /**
   * NBA, Playoff Tie-Break Procedures. Two teams (a): direct matches, division winner, division, conference, point differential. More than
   * two (b): division winner, matches among the tied, then as for two. The list restarts for those that remain tied (c). Records against
   * teams eligible for the playoffs (a 5, a 6, b 5) are left out: they depend on the places to decide.
   */
  BASKETBALL_NBA: {
    ...league,
    points: { win: 1, draw: 0, loss: 0 },
    order: [
      'WIN_PERCENTAGE',
      'DIVISION_WINNER_IF_THREE_TIED',
      'HEAD_TO_HEAD_WIN_PERCENTAGE',
      'DIVISION_WINNER',
      'DIVISION_WIN_PERCENTAGE',
      'GROUP_WIN_PERCENTAGE',
      'DIFFERENCE',
      'DRAW_OF_LOTS',
    ],
    headToHeadScope: 'RESTART',
  },
  /** FIBA Official Basketball Rules D.1.3 and D.1.4: 2 for a win, 1 for a loss, 0 for a forfeit; the list restarts for those still tied. */
  BASKETBALL: {
    ...league,
    points: { win: 2, draw: 0, loss: 1, forfeitLoss: 0 },
    order: ['POINTS', 'HEAD_TO_HEAD_POINTS', 'HEAD_TO_HEAD_DIFFERENCE', 'HEAD_TO_HEAD_FOR', 'DIFFERENCE', 'FOR', 'DRAW_OF_LOTS'],
    headToHeadScope: 'RESTART',
  },
  /** FIVB Sports Regulations: matches won, then points (3-0 and 3-1 give 3-0, 3-2 gives 2-1), set ratio, point ratio. */
  VOLLEYBALL: {
    ...league,
    points: { win: 3, draw: 0, loss: 0, winExtra: 2, lossExtra: 1 },
    order: ['WINS', 'POINTS', 'SET_RATIO', 'POINT_RATIO', 'HEAD_TO_HEAD_POINTS'],
  },
  /**
   * Rugby World Cup 2023 pools: 4-2-0, a bonus point for four tries and for a loss by seven or fewer. The list restarts
   * for those that remain tied; it ends with the world rankings, here replaced by drawing of lots.
   */
  RUGBY: {
    ...rugby,
    bonus: [
      { type: 'TRIES_AT_LEAST', n: 4, points: 1 },
      { type: 'LOSS_WITHIN', n: 7, points: 1 },
    ],
    order: ['POINTS', 'HEAD_TO_HEAD_POINTS', 'DIFFERENCE', 'TRIES_DIFFERENCE', 'FOR', 'TRIES_FOR', 'DRAW_OF_LOTS'],
    headToHeadScope: 'RESTART',
  },
  /** Super Rugby Pacific: a bonus point for three tries more than the opponent and for a loss by seven or fewer; most wins, no direct matches. */
  RUGBY_SUPER: {
    ...rugby,
    bonus: [
      { type: 'TRIES_AHEAD', n: 3, points: 1 },
      { type: 'LOSS_WITHIN', n: 7, points: 1 },
    ],
    order: ['POINTS', 'WINS', 'DIFFERENCE', 'TRIES_FOR', 'TRIES_DIFFERENCE', 'DRAW_OF_LOTS'],
  },
  /** Six Nations: as RUGBY, three points for winning every match, no head-to-head, and tries scored. */
  RUGBY_SIX_NATIONS: {
    ...rugby,
    bonus: [
      { type: 'TRIES_AT_LEAST', n: 4, points: 1 },
      { type: 'LOSS_WITHIN', n: 7, points: 1 },
      { type: 'UNBEATEN', points: 3 },
    ],
    order: ['POINTS', 'DIFFERENCE', 'TRIES_FOR'],
  },
  /** LNR, Top 14: 4-2-0, a bonus point for three tries more than the opponent and for a loss by five or fewer; direct matches first. */
  RUGBY_TOP_14: {
    ...rugby,
    bonus: [
      { type: 'TRIES_AHEAD', n: 3, points: 1 },
      { type: 'LOSS_WITHIN', n: 5, points: 1 },
    ],
    order: [
      'POINTS',
      'HEAD_TO_HEAD_POINTS',
      'HEAD_TO_HEAD_DIFFERENCE',
      'DIFFERENCE',
      'TRIES_DIFFERENCE',
      'FOR',
      'TRIES_FOR',
      'DRAW_OF_LOTS',
    ],
  },
  /** World Rugby sevens pools: 3-2-1, nothing for a forfeit. */
  RUGBY_SEVENS: {
    ...league,
    points: { win: 3, draw: 2, loss: 1, forfeitLoss: 0 },
    order: ['POINTS', 'HEAD_TO_HEAD_POINTS', 'DIFFERENCE', 'TRIES_DIFFERENCE', 'FOR', 'DRAW_OF_LOTS'],
  },
  RUGBY_LEAGUE: { ...league, points: { win: 2, draw: 1, loss: 0 }, order: ['POINTS', 'DIFFERENCE', 'FOR'] },
  /** IHF and EHF: 2-1-0, then head-to-head; participants that remain tied go to the next criterion. */
  HANDBALL: {
    ...league,
    points: { win: 2, draw: 1, loss: 0 },
    order: ['POINTS', 'HEAD_TO_HEAD_POINTS', 'HEAD_TO_HEAD_DIFFERENCE', 'HEAD_TO_HEAD_FOR', 'DIFFERENCE', 'FOR', 'DRAW_OF_LOTS'],
  },
  /** Records read W-L-D: most wins, then fewest losses; a no-contest does not count. */
  COMBAT: { ...league, points: { win: 1, draw: 0, loss: 0 }, order: ['WINS', 'FEWEST_LOSSES'] },
  /** ATP Rulebook IX: the best 19 results of 52 weeks. */
  TENNIS: { method: 'ROLLING_52W', best: 19 },
  MARK: { method: 'BEST_MARK' },
  /** UCI Cycling Regulations 2.6. */
  CYCLING: { method: 'ACCUMULATED_TIME', classifications: ['GC', 'POINTS', 'MOUNTAINS', 'YOUTH', 'TEAM'] },
} as const satisfies Record<string, RankingRules>;

export type RankingRuleSet = keyof typeof rankingRuleSets;

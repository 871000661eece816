/** The winner of a knock-out tie, and the reason, over one match, two legs or a best-of series. */
import { ascending } from './placing.ts';

export interface TieResult {
  /** In the order of the slots: after extra time, without the shoot-out. Null without a score (walkover, bout). */
  readonly scores: readonly [number, number] | null;
  readonly shootoutScores?: readonly [number, number] | null;
  readonly duration?: 'REGULAR' | 'EXTRA_TIME' | 'PENALTY_SHOOTOUT';
  /** The winner by outcome. It decides without scores and takes precedence over them (a forfeit, a disqualification). */
  readonly winnerId?: string | null;
  /** Ending other than by play: WALKOVER, RETIREMENT, DISQUALIFICATION … */
  readonly endedBy?: string | null;
}

export interface TieRules {
  /** Number of matches in the aggregate score; 1 where a match is a tie. */
  readonly legs: 1 | 2;
  /** Whether away goals decide equal aggregates, including those of extra time (UEFA until 2020/21). Default: false. */
  readonly awayGoals?: boolean;
  /** The first side to win more than half advances. 1 or absent: no series. */
  readonly bestOf?: number;
}

export interface TieMatch {
  readonly matchId: string;
  readonly leg: number;
  /** The home side, or the side named first, comes first. */
  readonly participantIds: readonly [string, string];
  readonly result: TieResult | null;
}

export type TieDecision =
  'SCORE' | 'EXTRA_TIME' | 'AGGREGATE' | 'AWAY_GOALS' | 'PENALTY_SHOOTOUT' | 'SERIES' | 'OUTCOME' | 'WALKOVER' | 'BYE';

export interface TieStanding {
  /** Sum of the scores in the order of `sides`. Null without scores. */
  readonly aggregate: readonly [number, number] | null;
  /** Those of the last match with a shoot-out. */
  readonly shootoutScores: readonly [number, number] | null;
  /** Matches won, for a series. */
  readonly wins: readonly [number, number];
  readonly advancedId: string | null;
  readonly decidedBy: TieDecision | null;
}

type Sides = readonly [string, string];
type Pair = readonly [number, number];

/**
 * The standing of a tie. `sides` determines the order of the values (the slots of the first leg). Undecided while a leg is missing or all is equal.
 * Two legs are decided by aggregate, away goals if the rules have them, extra time, shoot-out (IFAB Law 10.3). A series ends with the deciding win.
 */
export function standingOf(matches: readonly TieMatch[], sides: Sides, rules: TieRules): TieStanding {
  const inOrder = matches.toSorted((one, other) => one.leg - other.leg || ascending(one.matchId, other.matchId));
  const games = inOrder.flatMap((match) => (match.result ? [gameOf(match, match.result, sides)] : []));
  const scored = games.flatMap(({ scores }) => (scores ? [scores] : []));
  const standing = {
    aggregate: scored.length > 0 ? scored.reduce(add) : null,
    shootoutScores: games.findLast(({ shootout }) => shootout)?.shootout ?? null,
    wins: [games.filter(({ winner }) => winner === 0).length, games.filter(({ winner }) => winner === 1).length] as const,
  };
  const decision = decide(games, rules, standing.wins);
  return { ...standing, advancedId: decision ? sides[decision.winner] : null, decidedBy: decision?.by ?? null };
}

interface Game {
  readonly scores: Pair | null;
  readonly shootout: Pair | null;
  readonly away: Pair;
  readonly extraTime: boolean;
  readonly walkover: boolean;
  /** By outcome, by score, or by shoot-out. */
  readonly winner: 0 | 1 | null;
}

interface Decision {
  readonly winner: 0 | 1;
  readonly by: TieDecision;
}

const add = (one: Pair, other: Pair): Pair => [one[0] + other[0], one[1] + other[1]];
const leaderOf = (pair: Pair | null): 0 | 1 | null => (!pair || pair[0] === pair[1] ? null : pair[0] > pair[1] ? 0 : 1);

function gameOf({ participantIds }: TieMatch, result: TieResult, sides: Sides): Game {
  const turned = participantIds[0] === sides[1];
  const turn = (pair: Pair | null | undefined): Pair | null => (!pair ? null : turned ? [pair[1], pair[0]] : pair);
  const scores = turn(result.scores);
  const shootout = turn(result.shootoutScores);
  const given = result.winnerId === sides[0] ? 0 : result.winnerId === sides[1] ? 1 : null;
  return {
    scores,
    shootout,
    away: turned ? [scores?.[0] ?? 0, 0] : [0, scores?.[1] ?? 0],
    extraTime: result.duration !== undefined && result.duration !== 'REGULAR',
    walkover: result.endedBy === 'WALKOVER',
    winner: given ?? leaderOf(scores) ?? leaderOf(shootout),
  };
}

function decide(games: readonly Game[], rules: TieRules, wins: Pair): Decision | null {
  const bestOf = rules.bestOf ?? 1;
  if (bestOf > 1) {
    const winner = wins.findIndex((won) => won > bestOf / 2);
    return winner < 0 ? null : { winner: winner === 0 ? 0 : 1, by: 'SERIES' };
  }
  const withoutScore = games.find(({ scores, winner }) => !scores && winner !== null);
  if (withoutScore?.winner != null) return { winner: withoutScore.winner, by: withoutScore.walkover ? 'WALKOVER' : 'OUTCOME' };
  if (games.length < rules.legs) return null;
  return rules.legs === 1 ? decideSingle(games.at(-1)) : decideLegs(games, rules.awayGoals ?? false);
}

function decideSingle(game: Game | undefined): Decision | null {
  if (game?.winner == null) return null;
  const { winner, extraTime, shootout } = game;
  if (game.walkover) return { winner, by: 'WALKOVER' };
  if (leaderOf(game.scores) === winner) return { winner, by: extraTime ? 'EXTRA_TIME' : 'SCORE' };
  if (leaderOf(game.scores) === null && leaderOf(shootout) === winner) return { winner, by: 'PENALTY_SHOOTOUT' };
  return { winner, by: 'OUTCOME' };
}

function decideLegs(games: readonly Game[], awayGoals: boolean): Decision | null {
  const last = games.at(-1);
  const aggregate = leaderOf(games.flatMap(({ scores }) => (scores ? [scores] : [])).reduce(add, [0, 0]));
  if (aggregate !== null) return { winner: aggregate, by: last?.extraTime ? 'EXTRA_TIME' : 'AGGREGATE' };
  const away = awayGoals ? leaderOf(games.map((game) => game.away).reduce(add, [0, 0])) : null;
  if (away !== null) return { winner: away, by: 'AWAY_GOALS' };
  const shootout = leaderOf(last?.shootout ?? null);
  return shootout === null ? null : { winner: shootout, by: 'PENALTY_SHOOTOUT' };
}

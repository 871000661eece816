/** Tennis scores as they are written (`6-4 3-6 7-6(5)`, `6-3 2-1 ret.`, `w/o`), read to sets, games and tie-breaks and written back. */
import { readable, unreadable, type Reading, type RankingIssue } from './reading.ts';
import { setKinds, setWinner, type SetKind, type SetKindName, type TennisSet } from './tennis-set.ts';

export interface TennisScore {
  /** In order; the last one may be unfinished where somebody retired or was disqualified. */
  readonly sets: readonly TennisSet[];
  /** As the method of a result; null where the match was played to its end. */
  readonly endedBy: 'RETIREMENT' | 'WALKOVER' | 'DISQUALIFICATION' | null;
  readonly setsWon: readonly [number, number];
  /** The side that won: 0 is the one written first. Null where the text does not say (retirement, walkover, disqualification). */
  readonly winner: 0 | 1 | null;
}

export interface TennisFormat {
  readonly bestOf: 3 | 5;
  /** How the deciding set is played. Absent: read from the score (ten or more is a match tie-break in best of three, an advantage set in best of five). */
  readonly decidingSet?: SetKindName;
}

const endings: readonly (readonly [RegExp, NonNullable<TennisScore['endedBy']>, string])[] = [
  [/^(?:ret\.?|retired)$/i, 'RETIREMENT', 'ret.'],
  [/^(?:w\/?o\.?|walkover)$/i, 'WALKOVER', 'w/o'],
  [/^(?:def\.?|default)$/i, 'DISQUALIFICATION', 'def.'],
];

const setPattern =
  /^(?<open>\[)?(?<one>\d{1,3})-(?<other>\d{1,3})(?:\((?<points>\d{1,3})(?:-(?<against>\d{1,3}))?\))?(?<close>\])?$/;

/**
 * Reads a score from the first side's view. `7-6(5)` gives the loser's points of the tie-break, `6-6(3-2)` both of one that was broken off,
 * `[10-8]` (or `10-8` as third set) a match tie-break. Faults: `score_empty`, `set_unreadable`, `set_impossible`, `set_unfinished`,
 * `match_over`, `match_unfinished`, `walkover_with_sets`.
 */
export function readTennisScore(text: string, format: TennisFormat): Reading<TennisScore> {
  const words = text
    .trim()
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
  const ending = endings.find(([pattern]) => pattern.test(words.at(-1) ?? ''));
  const endedBy = ending?.[1] ?? null;
  const written = ending ? words.slice(0, -1) : words;
  if (words.length === 0) return unreadable({ code: 'score_empty', detail: 'Write a score, as 6-4 3-6 7-6(5), or w/o.' });
  if (endedBy === 'WALKOVER' && written.length > 0) {
    return unreadable({ code: 'walkover_with_sets', detail: 'A walkover has no sets: write ret. where play had begun.' });
  }
  const sets = written.map((word, index) => readSet(word, index === format.bestOf - 1 ? format : null));
  const bad = sets.flatMap((set, index): RankingIssue[] => (set ? [] : [unreadableSet(index)]));
  const [first, ...others] = bad;
  if (first) return unreadable(first, ...others);
  return judge(
    sets.filter((set) => set !== null),
    endedBy,
    format,
  );
}

const unreadableSet = (index: number): RankingIssue => ({
  code: 'set_unreadable',
  detail: `Set ${index + 1} is not written as games-games, as 6-4 or 7-6(5).`,
});

/** Faults and winner of sets that were read. */
function judge(sets: readonly TennisSet[], endedBy: TennisScore['endedBy'], format: TennisFormat): Reading<TennisScore> {
  const needed = Math.ceil(format.bestOf / 2);
  const won: [number, number] = [0, 0];
  const violations: RankingIssue[] = [];
  for (const [index, set] of sets.entries()) {
    const where = `Set ${index + 1}, ${writeSet(set)},`;
    if (Math.max(...won) === needed) {
      violations.push({ code: 'match_over', detail: `${where} comes after the match was won.` });
      break;
    }
    const deciding = index === format.bestOf - 1;
    const winner = setWinner(set, kindOf(set, deciding ? format : null));
    const misplaced = set.matchTieBreak && (!deciding || (format.decidingSet ?? 'MATCH_TIE_BREAK') !== 'MATCH_TIE_BREAK');
    if (winner === undefined || misplaced)
      violations.push({ code: 'set_impossible', detail: `${where} cannot be the score of this set.` });
    else if (winner !== null) won[winner] += 1;
    else if (index < sets.length - 1 || endedBy === null)
      violations.push({ code: 'set_unfinished', detail: `${where} is not over.` });
  }
  const over = Math.max(...won) === needed;
  if (violations.length === 0 && over && endedBy !== null) {
    violations.push({ code: 'match_over', detail: 'The match was won before it was broken off: leave out the ending.' });
  }
  if (violations.length === 0 && !over && endedBy === null) {
    violations.push({ code: 'match_unfinished', detail: `Nobody has won ${needed} sets: add what is missing, or ret. or def.` });
  }
  const [first, ...others] = violations;
  if (first) return unreadable(first, ...others);
  return readable({ sets, endedBy, setsWon: won, winner: over ? (won[0] > won[1] ? 0 : 1) : null });
}

function readSet(word: string, deciding: TennisFormat | null): TennisSet | null {
  const parts = setPattern.exec(word)?.groups;
  if (!parts || (parts.open === undefined) !== (parts.close === undefined)) return null;
  const games = [Number(parts.one), Number(parts.other)] as const;
  const bracketed = parts.open !== undefined;
  if (bracketed && parts.points !== undefined) return null;
  const byLooks = deciding?.bestOf === 3 && !deciding.decidingSet && Math.max(...games) >= 10;
  const matchTieBreak = bracketed || byLooks || deciding?.decidingSet === 'MATCH_TIE_BREAK';
  const set = { games, tieBreak: null, matchTieBreak };
  if (parts.points === undefined) return set;
  const points = Number(parts.points);
  if (parts.against !== undefined) return { ...set, tieBreak: [points, Number(parts.against)] };
  const winning = Math.max(kindOf(set, deciding).tieBreak?.to ?? 0, points + 2);
  if (games[0] === games[1]) return null;
  return { ...set, tieBreak: games[0] > games[1] ? [winning, points] : [points, winning] };
}

/** `deciding` is the format where the set is the deciding one. */
function kindOf({ games, matchTieBreak }: Pick<TennisSet, 'games' | 'matchTieBreak'>, deciding: TennisFormat | null): SetKind {
  if (matchTieBreak) return setKinds.MATCH_TIE_BREAK;
  if (!deciding) return setKinds.TIE_BREAK;
  if (deciding.decidingSet) return setKinds[deciding.decidingSet];
  return Math.max(...games) > 7 || Math.min(...games) > 6 ? setKinds.ADVANTAGE : setKinds.TIE_BREAK;
}

/** Writes a score so that `readTennisScore` reads the same one; a match tie-break stands in brackets. */
export function writeTennisScore({ sets, endedBy }: Pick<TennisScore, 'sets' | 'endedBy'>): string {
  const ending = endings.find(([, method]) => method === endedBy)?.[2];
  return [...sets.map(writeSet), ...(ending === undefined ? [] : [ending])].join(' ');
}

function writeSet({ games, tieBreak, matchTieBreak }: TennisSet): string {
  const score = games.join('-');
  if (matchTieBreak) return `[${score}]`;
  if (!tieBreak) return score;
  return games[0] === games[1] ? `${score}(${tieBreak.join('-')})` : `${score}(${Math.min(...tieBreak)})`;
}

/** Parses and formats tennis scores (`6-4 3-6 7-6(5)`, `6-3 2-1 ret.`, `w/o`): sets, games and tie-breaks. */
import { readable, unreadable, type Reading, type RankingIssue } from './reading.ts';
import { setKinds, setWinner, type SetKind, type SetKindName, type TennisSet } from './tennis-set.ts';

export interface TennisScore {
  /** In order. The last set may be incomplete after a retirement or disqualification. */
  readonly sets: readonly TennisSet[];
  /** The method of the result. Null where the match was completed. */
  readonly endedBy: 'RETIREMENT' | 'WALKOVER' | 'DISQUALIFICATION' | null;
  readonly setsWon: readonly [number, number];
  /** The winning side: 0 is the side written first. Null where the text does not determine it (retirement, walkover, disqualification). */
  readonly winner: 0 | 1 | null;
}

export interface TennisFormat {
  readonly bestOf: 3 | 5;
  /** Kind of the deciding set. Default: derived from the score (ten or more is a match tie-break in best of three, an advantage set in best of five). */
  readonly decidingSet?: SetKindName;
  /** The ending, where it is known from elsewhere than the text. */
  readonly endedBy?: TennisScore['endedBy'];
}

const endings: readonly (readonly [RegExp, NonNullable<TennisScore['endedBy']>, string])[] = [
  [/^(?:ret\.?|retired)$/i, 'RETIREMENT', 'ret.'],
  [/^(?:w\/?o\.?|walkover)$/i, 'WALKOVER', 'w/o'],
  [/^(?:def\.?|default)$/i, 'DISQUALIFICATION', 'def.'],
];

const setPattern =
  /^(?<open>\[)?(?<one>\d{1,3})-(?<other>\d{1,3})(?:\((?<points>\d{1,3})(?:-(?<against>\d{1,3}))?\))?(?<close>\])?$/;

/**
 * Parses a score from the view of the first side. `7-6(5)` contains the loser's points of the tie-break, `6-6(3-2)` both points of an unfinished
 * one, `[10-8]` (or `10-8` as third set) a match tie-break. Violations: `score_empty`, `set_unreadable`, `set_impossible`, `set_unfinished`,
 * `match_over`, `match_unfinished`, `walkover_with_sets`.
 */
export function readTennisScore(text: string, format: TennisFormat): Reading<TennisScore> {
  const words = text
    .trim()
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
  const ending = endings.find(([pattern]) => pattern.test(words.at(-1) ?? ''));
  const endedBy = ending?.[1] ?? format.endedBy ?? null;
  const setTexts = ending ? words.slice(0, -1) : words;
  if (words.length === 0)
    return unreadable({ code: 'score_empty', detail: 'The score is empty. Use a format such as 6-4 3-6 7-6(5), or w/o.' });
  if (endedBy === 'WALKOVER' && setTexts.length > 0) {
    return unreadable({
      code: 'walkover_with_sets',
      detail: 'A walkover has no sets. Use "ret." for a match that had started.',
    });
  }
  const sets = setTexts.map((word, index) => readSet(word, index === format.bestOf - 1 ? format : null));
  const [first, ...others] = sets.flatMap((set, index): RankingIssue[] => (set ? [] : [unreadableSet(index)]));
  if (first) return unreadable(first, ...others);
  return judge(
    sets.filter((set) => set !== null),
    endedBy,
    format,
  );
}

const unreadableSet = (index: number): RankingIssue => ({
  code: 'set_unreadable',
  detail: `Set ${index + 1} is not valid. Use the format 6-4 or 7-6(5).`,
});

/** The winner of a set; null where it is incomplete, undefined where the score is impossible. */
function winnerOf(set: TennisSet, isDeciding: boolean, format: TennisFormat): 0 | 1 | null | undefined {
  const isMisplaced = set.matchTieBreak && (!isDeciding || (format.decidingSet ?? 'MATCH_TIE_BREAK') !== 'MATCH_TIE_BREAK');
  return isMisplaced ? undefined : setWinner(set, kindOf(set, isDeciding ? format : null));
}

interface JudgedSets {
  readonly won: readonly [number, number];
  readonly violations: readonly RankingIssue[];
}

function judgeSets(
  sets: readonly TennisSet[],
  endedBy: TennisScore['endedBy'],
  format: TennisFormat,
  needed: number,
): JudgedSets {
  const won: [number, number] = [0, 0];
  const violations: RankingIssue[] = [];
  for (const [index, set] of sets.entries()) {
    const name = `Set ${index + 1}: ${writeSet(set)}`;
    if (Math.max(...won) === needed) {
      violations.push({ code: 'match_over', detail: `${name} comes after the end of the match.` });
      break;
    }
    const winner = winnerOf(set, index === format.bestOf - 1, format);
    if (winner === undefined) violations.push({ code: 'set_impossible', detail: `${name} is not a possible score.` });
    else if (winner !== null) won[winner] += 1;
    else if (index < sets.length - 1 || endedBy === null)
      violations.push({ code: 'set_unfinished', detail: `${name} is incomplete.` });
  }
  return { won, violations };
}

/** The violation for an ending that contradicts valid sets. */
function endingViolations(isOver: boolean, endedBy: TennisScore['endedBy'], needed: number): RankingIssue[] {
  if (isOver && endedBy !== null)
    return [{ code: 'match_over', detail: 'The match was won before this ending. Remove the ending.' }];
  if (isOver || endedBy !== null) return [];
  const detail = `No side has won ${needed} sets. Add the missing sets, or "ret." or "def.", or set \`endedBy\`.`;
  return [{ code: 'match_unfinished', detail }];
}

/** Validates parsed sets and determines the winner. */
function judge(sets: readonly TennisSet[], endedBy: TennisScore['endedBy'], format: TennisFormat): Reading<TennisScore> {
  const needed = Math.ceil(format.bestOf / 2);
  const { won, violations } = judgeSets(sets, endedBy, format, needed);
  const isOver = Math.max(...won) === needed;
  const [first, ...others] = violations.length > 0 ? violations : endingViolations(isOver, endedBy, needed);
  if (first) return unreadable(first, ...others);
  return readable({ sets, endedBy, setsWon: won, winner: isOver ? (won[0] > won[1] ? 0 : 1) : null });
}

interface TieBreakText {
  readonly points?: string | undefined;
  readonly against?: string | undefined;
}

/** The points of a tie-break: both of an unfinished one, or the loser's, from which the winner's follow. Undefined where they fit no set. */
function tieBreakOf(
  { points, against }: TieBreakText,
  set: Pick<TennisSet, 'games' | 'matchTieBreak'>,
  deciding: TennisFormat | null,
): TennisSet['tieBreak'] | undefined {
  if (points === undefined) return null;
  const losing = Number(points);
  if (against !== undefined) return [losing, Number(against)];
  const [one, other] = set.games;
  if (one === other) return undefined;
  const winning = Math.max(kindOf(set, deciding).tieBreak?.to ?? 0, losing + 2);
  return one > other ? [winning, losing] : [losing, winning];
}

/** `deciding` is the format where the set is the deciding one. */
function readSet(word: string, deciding: TennisFormat | null): TennisSet | null {
  const parts = setPattern.exec(word)?.groups;
  if (!parts || (parts.open === undefined) !== (parts.close === undefined)) return null;
  const games = [Number(parts.one), Number(parts.other)] as const;
  const isBracketed = parts.open !== undefined;
  if (isBracketed && parts.points !== undefined) return null;
  const isLong = deciding?.bestOf === 3 && !deciding.decidingSet && Math.max(...games) >= 10;
  const matchTieBreak = isBracketed || isLong || deciding?.decidingSet === 'MATCH_TIE_BREAK';
  const tieBreak = tieBreakOf(parts, { games, matchTieBreak }, deciding);
  return tieBreak === undefined ? null : { games, tieBreak, matchTieBreak };
}

/** The rules of a set. `deciding` is the format where the set is the deciding one. */
function kindOf({ games, matchTieBreak }: Pick<TennisSet, 'games' | 'matchTieBreak'>, deciding: TennisFormat | null): SetKind {
  if (matchTieBreak) return setKinds.MATCH_TIE_BREAK;
  if (!deciding) return setKinds.TIE_BREAK;
  if (deciding.decidingSet) return setKinds[deciding.decidingSet];
  return Math.max(...games) > 7 || Math.min(...games) > 6 ? setKinds.ADVANTAGE : setKinds.TIE_BREAK;
}

/** Formats a score that `readTennisScore` parses to the same value. A match tie-break is in brackets. */
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

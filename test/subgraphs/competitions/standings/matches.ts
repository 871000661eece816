/** Short notation for matches (`A 2-1 B`) and tables. */
import { rankingRuleSets, type TableRules } from '../../../../schema/ranking-rules.ts';
import { rankTable } from '../../../../subgraphs/competitions/standings/rank-table.ts';
import type { StandingRow } from '../../../../subgraphs/competitions/standings/standing-row.ts';
import type { TableInput, TableMatch, TableSide } from '../../../../subgraphs/competitions/standings/table-input.ts';

interface More {
  readonly sets?: string;
  readonly tries?: readonly [number, number];
  readonly forfeit?: 0 | 1;
  readonly outcome?: TableSide['outcome'];
  readonly sides?: readonly [Partial<TableSide>, Partial<TableSide>];
  readonly match?: Partial<TableMatch>;
}

const pair = (text: string): readonly [number, number] => {
  const [one = 0, other = 0] = text.split('-').map(Number);
  return [one, other];
};

const outcomeOf = (own: number, theirs: number): TableSide['outcome'] => (own > theirs ? 'WIN' : own < theirs ? 'LOSS' : 'DRAW');

/** `played('A 3-2 B', { sets: '25-20 …' })`: the first side is at home. IDs repeat when the same pair plays at the same venue again. */
export function played(line: string, more: More = {}): TableMatch {
  const [home = '', score = '', away = ''] = line.split(' ');
  const scores = pair(score);
  const sets = more.sets?.split(' ').map(pair) ?? [];
  const side = (of: 0 | 1): TableSide => ({
    participantId: of === 0 ? home : away,
    venue: of === 0 ? 'HOME' : 'AWAY',
    outcome: more.outcome ?? outcomeOf(scores[of], scores[of === 0 ? 1 : 0]),
    score: scores[of],
    periodScores: sets.map((each) => each[of]),
    tries: more.tries?.[of] ?? null,
    forfeit: more.forfeit === of,
    points: null,
    bonusPoints: null,
    ...more.sides?.[of],
  });
  return {
    id: `${home}-${away}`,
    playedAtMs: 0,
    matchday: null,
    duration: 'REGULAR',
    provisional: false,
    sides: [side(0), side(1)],
    ...more.match,
  };
}

/** Matches in order, one millisecond apart. */
export const season = (...lines: readonly (string | TableMatch)[]): TableMatch[] =>
  lines.map((line, index) => ({
    ...(typeof line === 'string' ? played(line) : line),
    id: `match-${index}`,
    playedAtMs: index,
  }));

export const rules = (of: Partial<TableRules>): TableRules => ({ ...rankingRuleSets.FOOTBALL, ...of });

/** The table of all sides of the matches. `input` adds participants and options. */
export function table(of: TableRules, matches: readonly TableMatch[], input: Partial<TableInput> = {}): StandingRow[] {
  const participants = [...new Set(matches.flatMap(({ sides }) => sides.map(({ participantId }) => participantId)))];
  return rankTable({ rules: of, participants, matches, ...input });
}

/** `1 A, 2 B, 2 C, 4 D` */
export const places = (rows: readonly StandingRow[]): string =>
  rows.map(({ position, participantId }) => `${position} ${participantId}`).join(', ');

export function rowOf(rows: readonly StandingRow[], id: string): StandingRow {
  const row = rows.find(({ participantId }) => participantId === id);
  if (!row) throw new Error(`no row of ${id}`);
  return row;
}

/** The tie-break of a row as text: `HEAD_TO_HEAD_POINTS 6 against B 0`; the chain likewise. */
export function tieBreakText(row: StandingRow): { decisive: string | null; chain: string[] } {
  const stepText = ({ criterion, value, against }: NonNullable<StandingRow['tieBreak']>['chain'][number]) =>
    `${criterion ?? 'NOTHING'} ${JSON.stringify(value)} against ${against
      .map((each) => `${each.participantId} ${JSON.stringify(each.value)}`)
      .join(', ')}`.replaceAll('"', '');
  const { tieBreak } = row;
  return { decisive: tieBreak && stepText(tieBreak), chain: tieBreak?.chain.map(stepText) ?? [] };
}

/** The points, mountains and youth classifications of a stage race (UCI Cycling Regulations 2.6). */
import { sum, type GeneralClassification, type TimeRow } from './accumulated-time.ts';
import { groupsOf, place, type Separator } from './placing.ts';

/** Points won at one finish, sprint or climb. */
export interface PointsAward {
  readonly participantId: string;
  /** Negative for a penalty. */
  readonly points: number;
  readonly at: 'STAGE' | 'SPRINT' | 'CLIMB';
  /** Category of a climb: 0 is beyond category (HC), then 1 to 4. */
  readonly category?: number;
  /** Place at that line. First places decide ties. */
  readonly place?: number | null;
}

export type PointsCriterion = 'STAGE_WINS' | 'SPRINT_WINS' | 'CLIMB_WINS' | 'GENERAL_CLASSIFICATION';

export interface PointsRow {
  readonly rank: number;
  readonly participantId: string;
  readonly vacated: boolean;
  readonly points: number;
  readonly shared: boolean;
  readonly separatedBy: PointsCriterion | null;
}

interface Rider {
  readonly participantId: string;
  readonly awards: readonly PointsAward[];
  readonly points: number;
  readonly general: TimeRow;
}

const climbCategories = [0, 1, 2, 3, 4];

const wins = ({ awards }: Rider, at: PointsAward['at'], category?: number): number =>
  awards.filter((award) => award.place === 1 && award.at === at && (category === undefined || award.category === category))
    .length;

const most = <Criterion extends string>(
  criterion: Criterion,
  valueOf: (rider: Rider) => number,
): Separator<Rider, Criterion> => ({
  criterion,
  among: () => (one, other) => valueOf(other) - valueOf(one),
});

const byGeneral = most('GENERAL_CLASSIFICATION', ({ general }) => -general.rank);

const chains: Readonly<Record<'POINTS' | 'MOUNTAINS', readonly Separator<Rider, PointsCriterion>[]>> = {
  POINTS: [most('STAGE_WINS', (rider) => wins(rider, 'STAGE')), most('SPRINT_WINS', (rider) => wins(rider, 'SPRINT')), byGeneral],
  MOUNTAINS: [
    ...climbCategories.map((category) => most('CLIMB_WINS', (rider: Rider) => wins(rider, 'CLIMB', category))),
    byGeneral,
  ],
};

/**
 * Sums the points of the riders in the general classification. Ties: POINTS by stage wins, then sprint wins; MOUNTAINS by first places on
 * climbs, hardest category first; then the general classification. Pass only awards that count.
 */
export function pointsClassification(
  kind: 'POINTS' | 'MOUNTAINS',
  awards: readonly PointsAward[],
  general: GeneralClassification,
): PointsRow[] {
  const byRider = Map.groupBy(awards, ({ participantId }) => participantId);
  const riders = general.rows.flatMap((row): Rider[] => {
    const own = byRider.get(row.participantId);
    return own ? [{ participantId: row.participantId, awards: own, points: sum(own, ({ points }) => points), general: row }] : [];
  });
  const placed = place<Rider, PointsCriterion>(riders, {
    by: (one, other) => other.points - one.points,
    separators: chains[kind],
    idOf: ({ participantId }) => participantId,
  });
  return placed.map(({ item: { participantId, points, general: row }, ...standing }) => ({
    participantId,
    points,
    ...standing,
    vacated: row.vacated,
  }));
}

/** The general classification of eligible riders (the rules of the race define the age; usually under 26 in that year), with gaps to the first of them. */
export function youthClassification(general: GeneralClassification, eligible: ReadonlySet<string>): TimeRow[] {
  const rows = general.rows.filter(({ participantId }) => eligible.has(participantId));
  const bestMs = rows[0]?.timeMs ?? 0;
  let before = 0;
  return groupsOf(rows, (one, other) => one.rank - other.rank).flatMap((level) => {
    const rank = before + 1;
    before += level.length;
    return level.map((row) => ({ ...row, rank, gapMs: row.timeMs - bestMs, shared: level.length > 1 }));
  });
}

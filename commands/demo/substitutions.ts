/** Substitutions of the demo data, in sports where a substituted player cannot return. */
import type { Random } from '../../platform/random.ts';
import type { DemoActionType, DemoPlayer } from '../../schema/demo-edition.ts';
import type { TeamSport } from './scores.ts';

/** An event that keeps its athletes on the field until its minute. */
interface Event {
  readonly type: DemoActionType;
  readonly period: number;
  readonly minute: number | null;
  readonly side: 0 | 1;
  readonly athleteId: string | null;
  readonly assistId?: string | null;
  readonly worth?: number;
}

interface SubstitutionRules {
  readonly most: number;
  /** First and last minute of a substitution, within the second half. */
  readonly between: readonly [number, number];
}

const rules: Partial<Readonly<Record<TeamSport, SubstitutionRules>>> = {
  FOOTBALL: { most: 5, between: [50, 88] },
  RUGBY: { most: 8, between: [45, 78] },
};

/** Starters leave after their last action; an athlete who was sent off is not replaced. */
export function generateSubstitutions(
  random: Random,
  sport: TeamSport,
  side: 0 | 1,
  lineup: readonly DemoPlayer[],
  events: readonly Event[],
): Event[] {
  const allowed = rules[sport];
  if (!allowed) return [];
  const reserves = lineup.filter(({ starter }) => !starter);
  const outfield = reserves.filter(({ position }) => position !== 'GK');
  const bench = (outfield.length > 0 ? outfield : reserves).slice(0, allowed.most);
  const candidates = new Set(
    lineup.filter(({ starter, position }) => starter && position !== 'GK').map((each) => each.athleteId),
  );
  return bench.flatMap((comes, index): Event[] => {
    const minute = random.integer(...allowed.between);
    const busy = new Set(
      events.flatMap((event) =>
        event.type === 'RED_CARD' || (event.minute ?? 0) >= minute ? [event.athleteId, event.assistId ?? null] : [],
      ),
    );
    const free = [...candidates].filter((id) => !busy.has(id));
    if (free.length === 0 || (index > 0 && random.chance(0.2))) return [];
    const assistId = random.pick(free);
    candidates.delete(assistId);
    return [{ type: 'SUBSTITUTION', period: 2, minute, side, athleteId: comes.athleteId, assistId }];
  });
}

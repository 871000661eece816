/** Ranking rules as callers give them: a named set, or the rules that would hold otherwise, with what is given instead. */
import type { Violation } from '../../../schema/errors.ts';
import { rankingRuleSets, type RankingRules } from '../../../schema/ranking-rules.ts';
import { rankingRulesOf, type Sport } from '../../../schema/sports.ts';
import type {
  BonusRuleInput,
  RankingMethod,
  RankingRules as ShownRules,
  RankingRulesInput,
  ZoneInput,
} from '../resolvers.generated.ts';

type Member = Exclude<keyof RankingRulesInput, 'ruleSet' | 'method'>;

interface MethodMembers {
  readonly needs: readonly Member[];
  /** What it may have besides, as it is where nobody says otherwise. */
  readonly defaults: Partial<Record<Member, unknown>>;
}

const membersOf: Readonly<Record<RankingMethod, MethodMembers>> = {
  TABLE: {
    needs: ['points', 'order'],
    defaults: { bonus: [], headToHeadScope: 'ALL_TIED', headToHeadWhen: 'ALWAYS', zones: [] },
  },
  BEST_MARK: { needs: [], defaults: {} },
  POINTS_BEST_N: { needs: ['best'], defaults: {} },
  ROLLING_52W: { needs: ['best'], defaults: {} },
  ELO: { needs: ['start', 'factor'], defaults: {} },
  ACCUMULATED_TIME: { needs: ['classifications'], defaults: {} },
};

const members: readonly Member[] = [
  'points',
  'bonus',
  'order',
  'headToHeadScope',
  'headToHeadWhen',
  'zones',
  'best',
  'start',
  'factor',
  'classifications',
];

/** A value without the members that are null: what is absent in the rules is absent in the store. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== null && each !== undefined)
      .map(([name, each]: [string, unknown]) => [name, withoutNulls(each)]),
  );
}

function bonusViolations(pointer: string, bonus: readonly BonusRuleInput[]): (Violation | null)[] {
  return bonus.map(({ type, n }, index) => {
    const counted = type !== 'UNBEATEN';
    const given = n !== null && n !== undefined;
    if (counted === given) return null;
    return counted
      ? { pointer: `${pointer}/${index}/n`, code: 'required', detail: `${type} needs n: how many.` }
      : { pointer: `${pointer}/${index}/n`, code: 'not_for_type', detail: 'UNBEATEN counts nothing: leave n out.' };
  });
}

function zoneViolations(pointer: string, zones: readonly ZoneInput[]): (Violation | null)[] {
  return zones.map(({ from, to }, index) =>
    from <= to
      ? null
      : {
          pointer: `${pointer}/${index}/to`,
          code: 'before_from',
          detail: `A zone goes from its first place to its last: ${to} comes before ${from}.`,
        },
  );
}

const duplicateViolations = (pointer: string, names: readonly string[]): (Violation | null)[] =>
  names.map((name, index) =>
    names.indexOf(name) === index
      ? null
      : { pointer: `${pointer}/${index}`, code: 'duplicate', detail: `${name} is named already: a second time decides nothing.` },
  );

/** What is wrong with the members that are given: those of another method, and those that contradict themselves. */
function memberViolations(pointer: string, method: RankingMethod, input: RankingRulesInput): (Violation | null)[] {
  const { needs, defaults } = membersOf[method];
  const known = new Set<string>([...needs, ...Object.keys(defaults)]);
  const foreign = members.filter((member) => input[member] !== null && input[member] !== undefined && !known.has(member));
  return [
    ...foreign.map((member) => ({
      pointer: `${pointer}/${member}`,
      code: 'not_for_method',
      detail: `Rules of the method ${method} have no ${member}: leave it out, or give the method it belongs to.`,
    })),
    ...bonusViolations(`${pointer}/bonus`, input.bonus ?? []),
    ...zoneViolations(`${pointer}/zones`, input.zones ?? []),
    ...duplicateViolations(`${pointer}/order`, input.order ?? []),
    ...duplicateViolations(`${pointer}/classifications`, input.classifications ?? []),
  ];
}

/** The rules of an input over those that would hold otherwise, whole; and what is wrong with them, by pointers into the body. */
export function overlay(
  otherwise: RankingRules,
  input: RankingRulesInput,
  pointer = '/rankingRules',
): { readonly rules: RankingRules; readonly violations: readonly (Violation | null)[] } {
  const base: RankingRules = input.ruleSet ? rankingRuleSets[input.ruleSet] : otherwise;
  const method = input.method ?? base.method;
  const { needs, defaults } = membersOf[method];
  const before = new Map<string, unknown>(Object.entries(base));
  const value = (member: Member): unknown => {
    const given = input[member];
    // Null deletes: what the method needs is then missing, what it may have is as nobody had said anything.
    if (given === null) return defaults[member];
    return withoutNulls(given ?? before.get(member) ?? defaults[member]);
  };
  const known = [...needs, ...members.filter((member) => Object.hasOwn(defaults, member))];
  const values = new Map(known.map((member) => [member, value(member)]));
  const missing = needs.filter((member) => values.get(member) === undefined);
  return {
    rules: { method, ...Object.fromEntries(values) } as RankingRules,
    violations: [
      ...memberViolations(pointer, method, input),
      ...missing.map((member) => ({
        pointer: `${pointer}/${member}`,
        code: 'required',
        detail: `Rules of the method ${method} need ${member}.`,
      })),
    ],
  };
}

/** The rules that hold: those that were given, or else those of the sport. */
export function rulesOf(row: {
  readonly rankingRules: RankingRules | null;
  readonly sport: Sport;
  readonly discipline?: string | null;
}): RankingRules {
  return row.rankingRules ?? rankingRulesOf(row.sport, row.discipline);
}

/** Rules as the graph shows them: every member, empty or null where the method has none. */
export function shownRules(rules: RankingRules): ShownRules {
  const none = { bonus: [], order: [], zones: [], classifications: [] };
  // Arrays of the rules are read-only, those of the generated types are not.
  return { ...none, ...(structuredClone(rules) as Partial<ShownRules>), method: rules.method };
}

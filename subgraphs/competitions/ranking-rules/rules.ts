/** Ranking rules from API inputs: a named rule set or the default rules, with the given members changed. */
import type { Violation } from '../../../schema/errors.ts';
import { rankingRuleSets, type RankingRules } from '../../../schema/ranking-rules.ts';
import { rankingRulesOf, type Sport } from '../../../schema/sports.ts';
import type {
  BonusRuleInput,
  RankingMethod,
  RankingRules as ApiRules,
  RankingRulesInput,
  ZoneInput,
} from '../generated/resolvers.ts';

type Member = Exclude<keyof RankingRulesInput, 'ruleSet' | 'method'>;

interface MethodMembers {
  readonly required: readonly Member[];
  /** Optional members and their default values. */
  readonly defaults: Partial<Record<Member, unknown>>;
}

const membersOf: Readonly<Record<RankingMethod, MethodMembers>> = {
  TABLE: {
    required: ['points', 'order'],
    defaults: { bonus: [], headToHeadScope: 'ALL_TIED', headToHeadWhen: 'ALWAYS', zones: [] },
  },
  BEST_MARK: { required: [], defaults: {} },
  POINTS_BEST_N: { required: ['best'], defaults: { pointsOf: 'PARTICIPANTS' } },
  ROLLING_52W: { required: ['best'], defaults: {} },
  ELO: { required: ['start', 'factor'], defaults: {} },
  ACCUMULATED_TIME: { required: ['classifications'], defaults: {} },
};

const members: readonly Member[] = [
  'points',
  'bonus',
  'order',
  'headToHeadScope',
  'headToHeadWhen',
  'zones',
  'best',
  'pointsOf',
  'start',
  'factor',
  'classifications',
];

/** Removes null members: an absent rule has no member in the database. */
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
      ? { pointer: `${pointer}/${index}/n`, code: 'required', detail: `A bonus of type ${type} requires \`n\`.` }
      : { pointer: `${pointer}/${index}/n`, code: 'not_for_type', detail: 'A bonus of type UNBEATEN has no `n`. Remove it.' };
  });
}

function zoneViolations(pointer: string, zones: readonly ZoneInput[]): (Violation | null)[] {
  return zones.map(({ from, to }, index) =>
    from <= to
      ? null
      : {
          pointer: `${pointer}/${index}/to`,
          code: 'before_from',
          detail: `\`to\` must not be less than \`from\`: ${to} is less than ${from}.`,
        },
  );
}

const duplicateViolations = (pointer: string, names: readonly string[]): (Violation | null)[] =>
  names.map((name, index) =>
    names.indexOf(name) === index
      ? null
      : { pointer: `${pointer}/${index}`, code: 'duplicate', detail: `${name} is listed twice. Remove the second entry.` },
  );

/** Violations of the given members: members of another method, and contradictions. */
function memberViolations(pointer: string, method: RankingMethod, input: RankingRulesInput): (Violation | null)[] {
  const { required, defaults } = membersOf[method];
  const allowed = new Set<string>([...required, ...Object.keys(defaults)]);
  const foreign = members.filter((member) => input[member] !== null && input[member] !== undefined && !allowed.has(member));
  return [
    ...foreign.map((member) => ({
      pointer: `${pointer}/${member}`,
      code: 'not_for_method',
      detail: `The ranking method ${method} has no member \`${member}\`. Remove it, or set \`method\` to the method that has it.`,
    })),
    ...bonusViolations(`${pointer}/bonus`, input.bonus ?? []),
    ...zoneViolations(`${pointer}/zones`, input.zones ?? []),
    ...duplicateViolations(`${pointer}/order`, input.order ?? []),
    ...duplicateViolations(`${pointer}/classifications`, input.classifications ?? []),
  ];
}

/** Applies an input to the default rules. Returns the complete rules and the violations, with pointers into the request body. */
export function overlayRules(
  fallback: RankingRules,
  input: RankingRulesInput,
  pointer = '/rankingRules',
): { readonly rules: RankingRules; readonly violations: readonly (Violation | null)[] } {
  const base: RankingRules = input.ruleSet ? rankingRuleSets[input.ruleSet] : fallback;
  const method = input.method ?? base.method;
  const { required, defaults } = membersOf[method];
  const baseValues = new Map<string, unknown>(Object.entries(base));
  const value = (member: Member): unknown => {
    const given = input[member];
    // Null deletes: an optional member returns to its default, a required member is then missing.
    if (given === null) return defaults[member];
    return withoutNulls(given ?? baseValues.get(member) ?? defaults[member]);
  };
  const allowed = [...required, ...members.filter((member) => Object.hasOwn(defaults, member))];
  const values = new Map(allowed.map((member) => [member, value(member)]));
  const missing = required.filter((member) => values.get(member) === undefined);
  return {
    // Cast: the members were selected by method, which TypeScript cannot follow. Rules with violations are never stored.
    rules: { method, ...Object.fromEntries(values) } as RankingRules,
    violations: [
      ...memberViolations(pointer, method, input),
      ...missing.map((member) => ({
        pointer: `${pointer}/${member}`,
        code: 'required',
        detail: `The ranking method ${method} requires \`${member}\`.`,
      })),
    ],
  };
}

/** The rules in effect: the stored rules, or the defaults of the sport. */
export function effectiveRules(row: {
  readonly rankingRules: RankingRules | null;
  readonly sport: Sport;
  readonly discipline?: string | null;
}): RankingRules {
  return row.rankingRules ?? rankingRulesOf(row.sport, row.discipline);
}

/** Rules as the API returns them: every member, empty or null where the method does not have it. */
export function rulesForApi(rules: RankingRules): ApiRules {
  const empty = { bonus: [], order: [], zones: [], classifications: [] };
  // Cast: the generated type has mutable arrays and the rules have read-only ones, which the clone makes safe.
  return { ...empty, ...(structuredClone(rules) as Partial<ApiRules>), method: rules.method };
}

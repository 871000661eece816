/** Members of an opportunity as they are stored: every part has all its members, so that what is read back compares equal. */
import { isDeepStrictEqual } from 'node:util';
import type { CreateOpportunityInput, UpdateOpportunityInput } from '../resolvers.generated.ts';
import type { OpportunityRow } from './reads.ts';

type Input = CreateOpportunityInput | UpdateOpportunityInput;
type Maybe<Value> = Value | null | undefined;

/** Applies `shape` to what is given; null deletes and undefined stays. */
function given<Value, Shaped>(value: Maybe<Value>, shape: (value: Value) => Shaped): Shaped | null | undefined {
  if (value === undefined) return undefined;
  return value === null ? null : shape(value);
}

/** An instant as the database tells it. */
const instant = (text: string): string => new Date(text).toISOString();

const ageRange = ({ min, max, referenceDate }: NonNullable<Input['ageRange']>) => ({
  min: min ?? null,
  max: max ?? null,
  referenceDate: referenceDate ?? null,
});

const requirement = (each: NonNullable<Input['requirements']>[number]) => ({
  metricKey: each.metricKey ?? null,
  attribute: each.attribute ?? null,
  operator: each.operator,
  value: each.value,
  mandatory: each.mandatory ?? false,
  weight: each.weight ?? null,
});

const award = (each: NonNullable<Input['award']>) => ({
  amountMinor: each.amountMinor ?? null,
  currency: each.currency ?? null,
  coverage: each.coverage ?? null,
  durationMonths: each.durationMonths ?? null,
  renewable: each.renewable ?? null,
});

const academic = (each: NonNullable<Input['academic']>) => ({
  minGpa: each.minGpa ?? null,
  gpaScale: each.gpaScale ?? null,
  level: each.level ?? null,
  programme: each.programme ?? null,
});

const session = (each: NonNullable<Input['sessions']>[number]) => ({
  startsAt: instant(each.startsAt),
  endsAt: given(each.endsAt, instant) ?? null,
  venue: each.venue ?? null,
  capacity: each.capacity ?? null,
});

const profile = (each: NonNullable<Input['profile']>) => ({
  positions: [...(each.positions ?? [])],
  ageRange: given(each.ageRange, ageRange) ?? null,
  heightMinCm: each.heightMinCm ?? null,
  dominantFoot: each.dominantFoot ?? null,
  metrics: (each.metrics ?? []).map(({ key, value }) => ({ key, value })),
});

/** The columns that an input sets: null deletes, what is absent is left out. */
export function rowValuesOf(input: Input): Partial<OpportunityRow> {
  const { externalIds: _, ...plain } = input;
  const values: Readonly<Record<string, unknown>> = {
    ...plain,
    ageRange: given(input.ageRange, ageRange),
    requirements: given(input.requirements, (each) => each.map(requirement)),
    award: given(input.award, award),
    academic: given(input.academic, academic),
    sessions: given(input.sessions, (each) => each.map(session)),
    profile: given(input.profile, profile),
    applicationOpensAt: given(input.applicationOpensAt, instant),
    applicationDeadline: given(input.applicationDeadline, instant),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** What differs from the row: jsonb forgets the order of members, so a text comparison would see changes where there are none. */
export function changedValues(before: OpportunityRow, values: Partial<OpportunityRow>): Partial<OpportunityRow> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(Object.entries(values).filter(([member, value]) => !isDeepStrictEqual(old.get(member), value)));
}

/** Row values of an opportunity. Nested objects are stored with all members, so that stored and new values compare as equal. */
import { isDeepStrictEqual } from 'node:util';
import { rowValues } from '../../runtime/row-values.ts';
import type { UpdateOpportunityInput } from '../generated/resolvers.ts';
import type { OpportunityRow } from './rows.ts';

/** The members that create and update inputs share. */
type Input = UpdateOpportunityInput;

/** Applies `shape` to a value that is neither null nor undefined. */
function mapGiven<Value, Shaped>(value: Value | null | undefined, shape: (value: Value) => Shaped): Shaped | null | undefined {
  if (value === undefined) return undefined;
  return value === null ? null : shape(value);
}

/** A timestamp in the format of the database. */
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
  endsAt: mapGiven(each.endsAt, instant) ?? null,
  venue: each.venue ?? null,
  capacity: each.capacity ?? null,
});

const profile = (each: NonNullable<Input['profile']>) => ({
  positions: [...(each.positions ?? [])],
  ageRange: mapGiven(each.ageRange, ageRange) ?? null,
  heightMinCm: each.heightMinCm ?? null,
  dominantFoot: each.dominantFoot ?? null,
  metrics: (each.metrics ?? []).map(({ key, value }) => ({ key, value })),
});

/** The columns that an input sets: null deletes, absent members are left out. An input member that is missing here does not compile. */
export function rowValuesOf(input: Input): Partial<OpportunityRow> {
  return rowValues<OpportunityRow>({
    title: input.title,
    description: input.description,
    disciplines: input.disciplines,
    positions: input.positions,
    sex: input.sex,
    ageRange: mapGiven(input.ageRange, ageRange),
    nationalities: input.nationalities,
    country: input.country,
    city: input.city,
    coordinates: mapGiven(input.coordinates, ({ latitude, longitude }) => ({ latitude, longitude })),
    venue: input.venue,
    startDate: input.startDate,
    endDate: input.endDate,
    applicationOpensAt: mapGiven(input.applicationOpensAt, instant),
    applicationDeadline: mapGiven(input.applicationDeadline, instant),
    totalOpenings: input.totalOpenings,
    requirements: mapGiven(input.requirements, (each) => each.map(requirement)),
    languages: input.languages,
    minorsAllowed: input.minorsAllowed,
    award: mapGiven(input.award, award),
    academic: mapGiven(input.academic, academic),
    sessions: mapGiven(input.sessions, (each) => each.map(session)),
    attendingOrganizationIds: input.attendingOrganizationIds,
    livestreamUrl: input.livestreamUrl,
    profile: mapGiven(input.profile, profile),
    contractType: input.contractType,
  } satisfies Readonly<Record<Exclude<keyof Input, 'externalIds'>, unknown>>);
}

/** The values that differ from the row. A text comparison would report unchanged values, because jsonb does not keep the order of members. */
export function changedValues(before: OpportunityRow, values: Partial<OpportunityRow>): Partial<OpportunityRow> {
  const old = new Map<string, unknown>(Object.entries(before));
  return Object.fromEntries(Object.entries(values).filter(([member, value]) => !isDeepStrictEqual(old.get(member), value)));
}

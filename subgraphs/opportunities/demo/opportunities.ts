/** Demo opportunities of all four types. Most of them stay open for up to 18 months. */
import type { Random } from '../../../platform/random.ts';
import type { DemoOrganization, DemoData } from '../../../schema/demo.ts';
import { sports, type Sport } from '../../../schema/sports.ts';
import type { OpportunityStatus, OpportunityType } from '../generated/resolvers.ts';

/** Opportunity types by type of organization, with weights. */
const typesOf: Readonly<Record<DemoOrganization['type'], readonly (readonly [OpportunityType, number])[]>> = {
  CLUB: [
    ['TRIAL', 55],
    ['TALENT_REQUEST', 35],
    ['SHOWCASE', 10],
  ],
  ACADEMY: [
    ['TRIAL', 60],
    ['SHOWCASE', 30],
    ['SCHOLARSHIP', 10],
  ],
  UNIVERSITY: [
    ['SCHOLARSHIP', 80],
    ['TRIAL', 20],
  ],
  RECRUITER: [
    ['SHOWCASE', 55],
    ['TALENT_REQUEST', 45],
  ],
};

/** Number of opportunities of an organization, with weights. */
export const opportunityCounts: Readonly<Record<DemoOrganization['type'], readonly (readonly [number, number])[]>> = {
  CLUB: [
    [0, 45],
    [1, 40],
    [2, 15],
  ],
  ACADEMY: [
    [0, 15],
    [1, 55],
    [2, 30],
  ],
  UNIVERSITY: [
    [1, 30],
    [2, 45],
    [3, 25],
  ],
  RECRUITER: [
    [1, 40],
    [2, 40],
    [3, 20],
  ],
};

const categories = [
  ['MALE', 45],
  ['FEMALE', 40],
  [null, 15],
] as const;
const dayMs = 86_400_000;
const currencies: Readonly<Record<string, string>> = {
  GB: 'GBP',
  US: 'USD',
  JP: 'JPY',
  SE: 'SEK',
  PL: 'PLN',
  BR: 'BRL',
  KR: 'KRW',
};

const dayAfter = (moment: number, days: number): string => new Date(moment + days * dayMs).toISOString().slice(0, 10);

/** The members that belong to one type. They are empty for the other types. */
function typeMembers(
  random: Random,
  type: OpportunityType,
  context: { organization: DemoOrganization; positions: readonly string[]; sport: Sport; startDate: string },
) {
  const { organization, positions, sport, startDate } = context;
  const ageRange = { min: 18, max: random.integer(22, 28), referenceDate: null };
  const metrics = sport === 'FOOTBALL' ? [{ key: 'passAccuracyPct', value: 75 }] : [];
  const award = {
    amountMinor: random.integer(20, 300) * 10_000,
    currency: currencies[organization.country] ?? 'EUR',
    coverage: random.pick(['FULL', 'TUITION', 'PARTIAL']),
    durationMonths: random.pick([12, 24, 36, 48]),
    renewable: random.chance(0.5),
  };
  const academic = {
    minGpa: random.pick([2.5, 2.8, 3, 3.2]),
    gpaScale: 4,
    level: random.pick(['UNDERGRADUATE', 'GRADUATE']),
    programme: null,
  };
  const session = {
    startsAt: `${startDate}T09:00:00.000Z`,
    endsAt: `${startDate}T12:30:00.000Z`,
    venue: organization.city,
    capacity: random.integer(4, 12) * 5,
  };
  return {
    award: type === 'SCHOLARSHIP' ? JSON.stringify(award) : null,
    academic: type === 'SCHOLARSHIP' ? JSON.stringify(academic) : null,
    sessions: JSON.stringify(type === 'TRIAL' ? [session] : []),
    attendingOrganizationIds: type === 'SHOWCASE' ? [organization.id] : [],
    profile:
      type === 'TALENT_REQUEST' ? JSON.stringify({ positions, ageRange, heightMinCm: null, dominantFoot: null, metrics }) : null,
    contractType: type === 'TALENT_REQUEST' ? random.pick(['PROFESSIONAL', 'SEMI_PROFESSIONAL', 'AMATEUR']) : null,
  };
}

const titles: Readonly<Record<OpportunityType, (audience: string, city: string) => string>> = {
  SCHOLARSHIP: (audience) => `Scholarship for ${audience}`,
  TRIAL: (audience, city) => `Open trial for ${audience} in ${city}`,
  SHOWCASE: (audience, city) => `Showcase ${city}: ${audience}`,
  TALENT_REQUEST: (audience) => `Looking for ${audience}`,
};

/** Creation, deadline and first day of an opportunity. A closed opportunity has a deadline in the past, any other in the future. */
function scheduleOf(random: Random, status: OpportunityStatus, organization: DemoOrganization, demo: DemoData) {
  const today = Date.parse(demo.today);
  const since = Date.parse(organization.createdAt);
  const created = since + Math.floor(random.fraction() * (today - 50 * dayMs - since));
  const deadline = status === 'CLOSED' ? created + random.integer(14, 45) * dayMs : today + random.integer(20, 540) * dayMs;
  const startDate = dayAfter(deadline, random.integer(14, 90));
  return { createdAt: new Date(created).toISOString(), applicationDeadline: new Date(deadline).toISOString(), startDate };
}

export function opportunityRow(random: Random, organization: DemoOrganization, demo: DemoData) {
  const { name, city, country } = organization;
  const type = random.weighted(typesOf[organization.type]);
  const sport = random.pick(organization.sports);
  const groups = Object.keys(sports[sport].positionGroups);
  const positions = groups.length > 0 && random.chance(0.6) ? random.sample(groups, random.integer(1, 2)) : [];
  const sex = random.weighted<'MALE' | 'FEMALE' | null>(categories);
  const minorsAllowed = organization.verified && organization.safeguarded && random.chance(0.6);
  const status = random.weighted<OpportunityStatus>([
    ['PUBLISHED', 76],
    ['CLOSED', 14],
    ['PAUSED', 4],
    ['DRAFT', 4],
    ['CANCELLED', 2],
  ]);
  const { createdAt, applicationDeadline, startDate } = scheduleOf(random, status, organization, demo);
  const audience = `${sex === 'MALE' ? "men's " : sex === 'FEMALE' ? "women's " : ''}${sports[sport].title.toLowerCase()}`;
  const title = titles[type](audience, city);
  const totalOpenings = type === 'SHOWCASE' ? random.integer(4, 16) * 5 : random.integer(1, 12);
  const requirement = {
    metricKey: null,
    attribute: 'YEARS_EXPERIENCE',
    operator: 'GTE',
    value: random.integer(2, 6),
    mandatory: random.chance(0.5),
    weight: null,
  };
  return {
    accountId: demo.account.id,
    createdAt,
    updatedAt: createdAt,
    status,
    type,
    organizationId: organization.id,
    organizationPublic: true,
    title,
    description: `${name} (${city}) invites athletes in ${audience}. This is demo data: applications are not read.`,
    sport,
    positions,
    sex,
    ageRange: JSON.stringify({ min: minorsAllowed ? 15 : 18, max: random.integer(21, 30), referenceDate: null }),
    country,
    city,
    coordinates: JSON.stringify(organization.coordinates),
    venue: type === 'TRIAL' || type === 'SHOWCASE' ? `${city}, home ground of ${name}` : null,
    startDate,
    endDate: type === 'TRIAL' || type === 'SHOWCASE' ? startDate : null,
    applicationDeadline,
    totalOpenings,
    requirements: JSON.stringify(random.chance(0.4) ? [requirement] : []),
    minorsAllowed,
    ...typeMembers(random, type, { organization, positions, sport, startDate }),
    search: title,
  };
}

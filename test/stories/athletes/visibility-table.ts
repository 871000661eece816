/** The expected visibility of athletes (docs/minors.md), written independently of the platform's code. */
import { readText } from '../../architecture/source.ts';

export const ages = ['adult', 'minor', 'unknown', 'turned 18'] as const;
export const visibilities = ['PUBLIC', 'ORGANIZATIONS', 'PRIVATE'] as const;
/** The effective scopes of each consent case. */
export const consents = {
  none: [],
  profile: ['PROFILE'],
  media: ['PROFILE', 'MEDIA'],
  contact: ['PROFILE', 'CONTACT'],
  all: ['PROFILE', 'MEDIA', 'PROFILING', 'CONTACT', 'HEALTH'],
  withdrawn: [],
} as const satisfies Record<string, readonly string[]>;

export interface Person {
  readonly id: string;
  readonly age: (typeof ages)[number];
  readonly visibility: (typeof visibilities)[number];
  readonly consent: keyof typeof consents;
}

/** Viewers: whether their account has a verified organization and can read minors. */
export const readers = {
  anonymous: { organization: false, minors: false },
  key: { organization: false, minors: false },
  verified: { organization: true, minors: false },
  'minors:read without an officer': { organization: true, minors: false },
  'minors:read with an officer': { organization: true, minors: true },
  moderator: { organization: false, minors: false },
  owner: { organization: true, minors: false },
} as const;

export type Reader = keyof typeof readers;

type Scopes = readonly string[];

/** Null: not visible. 'WHOLE': the whole profile. Otherwise the restricted profile with the scopes that extend it. */
export function expectedVisibility(reader: Reader, { age, visibility, consent }: Omit<Person, 'id'>): Scopes | 'WHOLE' | null {
  if (reader === 'owner') return 'WHOLE';
  if (visibility === 'PRIVATE') return null;
  if (visibility === 'ORGANIZATIONS' && !readers[reader].organization) return null;
  if (age === 'adult') return 'WHOLE';
  const given: Scopes = consents[consent];
  if (!given.includes('PROFILE')) return null;
  return readers[reader].minors ? given : [];
}

/** Whether lists without `mine` include an athlete. */
export const isListed = (reader: Reader, person: Person): boolean =>
  expectedVisibility(reader === 'owner' ? 'verified' : reader, person) !== null;

/** Whether the viewer can filter and sort by members of a consent scope. An owner finds own minors with `mine`. */
export function mayFilter(reader: Reader, person: Person, consent: string): boolean {
  const visibleScopes = expectedVisibility(reader === 'owner' ? 'verified' : reader, person);
  return visibleScopes === 'WHOLE' || (visibleScopes?.includes(consent) ?? false);
}

interface Field {
  /** The selection of the field in a query. */
  readonly of?: string;
  /** The consent scope that makes it visible to viewers with access to minors. Absent: visible with the profile. */
  readonly by?: 'PROFILE' | 'MEDIA' | 'CONTACT' | 'HEALTH';
  /** Its value in a restricted profile. */
  readonly left?: unknown;
  /** Its members that are null in a restricted profile. */
  readonly without?: readonly string[];
}

const page = { nodes: [] };

/** Every field of an athlete. */
export const fields: Readonly<Record<string, Field>> = {
  id: {},
  version: {},
  createdAt: {},
  updatedAt: {},
  status: {},
  restricted: { by: 'PROFILE', left: true },
  ageGroup: {},
  sex: {},
  visibility: {},
  verification: { of: '{ status method at }', by: 'PROFILE', without: ['method'] },
  displayName: { by: 'PROFILE', left: 'Q. Z.' },
  givenName: { by: 'PROFILE', left: null },
  familyName: { by: 'PROFILE', left: null },
  knownAs: { by: 'PROFILE', left: null },
  names: { of: '{ language value }', by: 'PROFILE', left: [] },
  dateOfBirth: { by: 'PROFILE', left: null },
  birthYear: { by: 'PROFILE', left: null },
  age: { by: 'PROFILE', left: null },
  nationalities: { by: 'PROFILE', left: [] },
  sportingNationality: { by: 'PROFILE', left: null },
  residence: { of: '{ country region city }', by: 'PROFILE', left: { country: 'FR', region: null, city: null } },
  sports: {
    of: '{ sport primary discipline positions level yearsExperience }',
    by: 'PROFILE',
    left: [{ sport: 'FOOTBALL', primary: true, discipline: null, positions: [], level: null, yearsExperience: null }],
  },
  // moderation-reasons.test.ts has rejected athletes
  moderationReason: { by: 'PROFILE', left: null },
  heightCm: { by: 'PROFILE', left: null },
  weightKg: { by: 'PROFILE', left: null },
  dominantFoot: { by: 'PROFILE', left: null },
  dominantHand: { by: 'PROFILE', left: null },
  weightClass: { by: 'PROFILE', left: null },
  education: { of: '{ institution { id } graduationYear gpa gpaScale }', by: 'PROFILE', left: null },
  languages: { by: 'PROFILE', left: [] },
  externalIds: { of: '{ scheme value }', by: 'PROFILE', left: [] },
  organization: { of: '{ id }', by: 'PROFILE', left: null },
  team: { of: '{ id }', by: 'PROFILE', left: null },
  media: { of: '{ kind url title }', by: 'MEDIA', left: [] },
  // photos.test.ts has athletes with photos
  imageUrl: { by: 'MEDIA', left: null },
  availability: { of: '{ openToOpportunities from types relocation }', by: 'CONTACT', left: null },
  // an injury; other kinds are visible by PROFILE (absences.test.ts)
  absences: { of: '(first: 5) { nodes { kind reason } }', by: 'HEALTH', left: page },
  // milestones.test.ts has athletes with matches
  milestones: { of: '{ code date ageYears }', by: 'PROFILE', left: [] },
  statistics: { of: '(first: 5) { nodes { metrics { key value } } }', by: 'PROFILE', left: page },
};

/** Fields of other areas: visible for whole public profiles, and to the owner. */
export const fieldsOfOthers: Readonly<Record<string, Field>> = {
  memberships: { of: '(first: 3) { nodes { id } }', left: page },
  transfers: { of: '(first: 3) { nodes { id } }', left: page },
  results: { of: '(first: 3) { nodes { mark { value } } }', left: page },
  replays: { of: '(first: 3) { nodes { id } }', left: page },
  personalBests: { of: '{ eventCode mark { value } }', left: [] },
};

/** Not part of the profile: computed from visible members, for viewers with access to scores (recommendations.test.ts, talent-scores.test.ts). */
export const computed: readonly string[] = ['recommendedOpportunities', 'prospect'];

export const isList = (field: string): boolean => field === 'absences' || field === 'statistics' || field in fieldsOfOthers;
const selected = (some: Readonly<Record<string, Field>>): string =>
  Object.entries(some)
    .map(([name, { of = '' }]) => `${name} ${of}`)
    .join('\n');

/** Selections of an athlete: all fields, and the fields that are not lists. */
export const everything = selected({ ...fields, ...fieldsOfOthers });
export const withoutLists = selected(Object.fromEntries(Object.entries(fields).filter(([name]) => !isList(name))));

export type Profile = Readonly<Record<string, unknown>>;

/** The members of a whole profile that a viewer reads. Members that were not selected stay absent. */
export function expectedProfile(reader: Reader, person: Person, whole: Profile): Profile | null {
  const visibleScopes = expectedVisibility(reader, person);
  if (visibleScopes === null) return null;
  const visible = Object.entries(whole).map(([name, value]): [string, unknown] => {
    const { by, left, without } = fields[name] ?? {};
    if (name in fieldsOfOthers) {
      const isPublic = person.age === 'adult' && person.visibility === 'PUBLIC';
      return [name, isPublic || reader === 'owner' ? value : fieldsOfOthers[name]?.left];
    }
    if (by === undefined || visibleScopes === 'WHOLE' || visibleScopes.includes(by)) return [name, value];
    return [name, without ? { ...(value as object), ...Object.fromEntries(without.map((member) => [member, null])) } : left];
  });
  return Object.fromEntries(visible);
}

/** The fields of an athlete in the public schema. */
export function fieldsOfSchema(): string[] {
  const [, body = ''] =
    /^type Athlete(?: implements [^{]+)? \{\n([^]*?)^\}$/m.exec(readText('schema/generated/api.graphql')) ?? [];
  return [...body.replaceAll(/"""[^]*?"""/g, '').matchAll(/^ {2}(\w+)[:(]/gm)].map(([, name = '']) => name);
}

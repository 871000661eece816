/** Who is shown what of an athlete, as section 4 of the domain says it and in words of the tests' own: nothing here is read from the platform. */
import { readText } from '../../architecture/source.ts';

export const ages = ['adult', 'minor', 'unknown', 'turned 18'] as const;
export const visibilities = ['PUBLIC', 'ORGANIZATIONS', 'PRIVATE'] as const;
/** What a guardian consented to, and what of it is left. */
export const consents = {
  none: [],
  profile: ['PROFILE'],
  media: ['PROFILE', 'MEDIA'],
  contact: ['PROFILE', 'CONTACT'],
  all: ['PROFILE', 'MEDIA', 'PROFILING', 'CONTACT'],
  withdrawn: [],
} as const satisfies Record<string, readonly string[]>;

export interface Person {
  readonly id: string;
  readonly age: (typeof ages)[number];
  readonly visibility: (typeof visibilities)[number];
  readonly consent: keyof typeof consents;
}

/** Keys: whether their account holds a verified organization, and may read minors by it. */
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

/** Null: nobody is there. 'WHOLE': all of the profile. Otherwise the restricted profile, with what these consents add to it. */
export function sightOf(reader: Reader, { age, visibility, consent }: Omit<Person, 'id'>): Scopes | 'WHOLE' | null {
  if (reader === 'owner') return 'WHOLE';
  if (visibility === 'PRIVATE') return null;
  if (visibility === 'ORGANIZATIONS' && !readers[reader].organization) return null;
  if (age === 'adult') return 'WHOLE';
  const given: Scopes = consents[consent];
  if (!given.includes('PROFILE')) return null;
  return readers[reader].minors ? given : [];
}

/** Whether lists hold somebody without `mine`: whom others are shown. */
export const isListed = (reader: Reader, person: Person): boolean =>
  sightOf(reader === 'owner' ? 'verified' : reader, person) !== null;

/** Whether the reader may filter and sort by what a consent is about; an owner finds the own minors with `mine`. */
export function mayFilter(reader: Reader, person: Person, consent: string): boolean {
  const sight = sightOf(reader === 'owner' ? 'verified' : reader, person);
  return sight === 'WHOLE' || (sight?.includes(consent) ?? false);
}

interface Field {
  /** Its members in a query. */
  readonly of?: string;
  /** The consent that shows it to who may read minors; absent: every reader of the profile sees it. */
  readonly by?: 'PROFILE' | 'MEDIA' | 'CONTACT';
  /** What is left of it in a restricted profile. */
  readonly left?: unknown;
  /** Members of it that are null there. */
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
  availability: { of: '{ openToOpportunities from types relocation }', by: 'CONTACT', left: null },
  statistics: { of: '(first: 5) { nodes { metrics { key value } } }', by: 'PROFILE', left: page },
};

/** Fields that other areas add: of a whole profile that is everybody's, and to the owner. */
export const fieldsOfOthers: Readonly<Record<string, Field>> = {
  memberships: { of: '(first: 3) { nodes { id } }', left: page },
  results: { of: '(first: 3) { nodes { mark { value } } }', left: page },
  replays: { of: '(first: 3) { nodes { id } }', left: page },
  personalBests: { of: '{ eventCode mark { value } }', left: [] },
};

/** Not of the profile: computed of what the reader sees of it, and only for whom the reader is told scores of (recommendations.test.ts). */
export const computed: readonly string[] = ['recommendedOpportunities'];

export const isList = (field: string): boolean => field === 'statistics' || field in fieldsOfOthers;
const selected = (some: Readonly<Record<string, Field>>): string =>
  Object.entries(some)
    .map(([name, { of = '' }]) => `${name} ${of}`)
    .join('\n');

/** Selections of an athlete: of all fields, and of those that are no lists of their own. */
export const everything = selected({ ...fields, ...fieldsOfOthers });
export const withoutLists = selected(Object.fromEntries(Object.entries(fields).filter(([name]) => !isList(name))));

export type Profile = Readonly<Record<string, unknown>>;

/** What a reader is shown of a profile, which the owner sees whole; members that were not asked for stay away. */
export function shownTo(reader: Reader, person: Person, whole: Profile): Profile | null {
  const sight = sightOf(reader, person);
  if (sight === null) return null;
  const shown = Object.entries(whole).map(([name, value]): [string, unknown] => {
    const { by, left, without } = fields[name] ?? {};
    if (name in fieldsOfOthers) {
      const isPublic = person.age === 'adult' && person.visibility === 'PUBLIC';
      return [name, isPublic || reader === 'owner' ? value : fieldsOfOthers[name]?.left];
    }
    if (by === undefined || sight === 'WHOLE' || sight.includes(by)) return [name, value];
    return [name, without ? { ...(value as object), ...Object.fromEntries(without.map((member) => [member, null])) } : left];
  });
  return Object.fromEntries(shown);
}

/** The fields that the public schema gives an athlete. */
export function fieldsOfSchema(): string[] {
  const [, body = ''] = /^type Athlete \{\n([^]*?)^\}$/m.exec(readText('schema/generated/api.graphql')) ?? [];
  return [...body.replaceAll(/"""[^]*?"""/g, '').matchAll(/^ {2}(\w+)[:(]/gm)].map(([, name = '']) => name);
}

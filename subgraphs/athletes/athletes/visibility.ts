/** The visibility matrix of a minor's profile, field by field (docs/minors.md). visible-rows.ts decides which rows are visible. */
import { keysOf } from '../../../schema/records.ts';
import { owns, readsMinors, type Viewer } from '../../../schema/viewer.ts';
import type { Athlete, AthleteFilter, AthleteSort, AthleteStatus, ConsentScope, Visibility } from '../generated/resolvers.ts';
import { isTreatedAsMinor } from './age.ts';
import type { AthleteRow } from './rows.ts';

export interface VisibilityFacts {
  readonly status: AthleteStatus;
  readonly visibility: Visibility;
  readonly adultFrom: string | null;
  readonly activatedAsMinor: boolean;
}

/** Whether the whole profile is public. */
export function isPublic(row: VisibilityFacts): boolean {
  return row.status === 'ACTIVE' && row.visibility === 'PUBLIC' && !isTreatedAsMinor(row);
}

/** Whether the profile is public, either whole or as the restricted profile of a minor with consent to PROFILE. */
export function hasPublicProfile(row: VisibilityFacts & { readonly consentScopes: readonly ConsentScope[] }): boolean {
  const { status, visibility, activatedAsMinor, consentScopes } = row;
  return (
    isPublic(row) || (status === 'ACTIVE' && visibility === 'PUBLIC' && activatedAsMinor && consentScopes.includes('PROFILE'))
  );
}

/** Whether a viewer of an athlete can read talent scores. Scores of a minor need consent to PROFILING and an account. */
export function canProfile(
  viewer: Viewer,
  row: Pick<AthleteRow, 'accountId' | 'adultFrom' | 'activatedAsMinor' | 'consentScopes'>,
): boolean {
  if (!isTreatedAsMinor(row) || owns(viewer, row.accountId) || readsMinors(viewer)) return true;
  return viewer.accountId !== null && row.consentScopes.includes('PROFILING');
}

/**
 * The visibility of a field of a minor's profile: always visible where the profile is, or visible by a consent scope to viewers that can
 * read minors. `otherwise` computes what other viewers read.
 */
type Rule<Value> = 'ALWAYS' | { readonly consent: ConsentScope; readonly otherwise: (value: Value) => Value };

type Rules = {
  readonly [Field in Exclude<keyof Athlete, '__typename' | 'ref' | 'applicant' | 'lives'>]: Field extends keyof AthleteRow
    ? Rule<AthleteRow[Field]>
    : 'ALWAYS' | { readonly consent: ConsentScope };
};

const nothing = (): null => null;
const none = (): never[] => [];

/** The initials of the first and the last word of a name, by grapheme: `Ada Maria Quillon` is `A. Q.`. */
function initials(name: string): string {
  const words = name.split(/[\s-]+/u).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const first = (word = ''): string => new Intl.Segmenter().segment(word)[Symbol.iterator]().next().value?.segment ?? '';
  return ends.map((word) => `${first(word).toLocaleUpperCase('en')}.`).join(' ');
}

/** One row per field of an athlete. A field without a row does not compile. */
export const visibilityMatrix: Rules = {
  id: 'ALWAYS',
  version: 'ALWAYS',
  createdAt: 'ALWAYS',
  updatedAt: 'ALWAYS',
  status: 'ALWAYS',
  restricted: 'ALWAYS',
  ageGroup: 'ALWAYS',
  sex: 'ALWAYS',
  visibility: 'ALWAYS',
  // the method can name a document of the minor
  verification: { consent: 'PROFILE', otherwise: ({ status, at }) => ({ status, method: null, at }) },
  // read by the owner and by administrators that read minors
  moderationReason: { consent: 'PROFILE' },
  displayName: { consent: 'PROFILE', otherwise: initials },
  residence: {
    consent: 'PROFILE',
    otherwise: (residence) => residence && { country: residence.country, region: null, city: null },
  },
  sports: {
    consent: 'PROFILE',
    otherwise: (sports) =>
      sports.map(({ sport, primary }) => ({
        sport,
        discipline: null,
        positions: [],
        primary,
        level: null,
        yearsExperience: null,
      })),
  },
  givenName: { consent: 'PROFILE', otherwise: nothing },
  familyName: { consent: 'PROFILE', otherwise: nothing },
  knownAs: { consent: 'PROFILE', otherwise: nothing },
  names: { consent: 'PROFILE', otherwise: none },
  dateOfBirth: { consent: 'PROFILE', otherwise: nothing },
  birthYear: { consent: 'PROFILE', otherwise: nothing },
  age: { consent: 'PROFILE' },
  nationalities: { consent: 'PROFILE', otherwise: none },
  sportingNationality: { consent: 'PROFILE', otherwise: nothing },
  heightCm: { consent: 'PROFILE', otherwise: nothing },
  weightKg: { consent: 'PROFILE', otherwise: nothing },
  dominantFoot: { consent: 'PROFILE', otherwise: nothing },
  dominantHand: { consent: 'PROFILE', otherwise: nothing },
  weightClass: { consent: 'PROFILE', otherwise: nothing },
  education: { consent: 'PROFILE', otherwise: nothing },
  languages: { consent: 'PROFILE', otherwise: none },
  externalIds: { consent: 'PROFILE' },
  organization: { consent: 'PROFILE' },
  team: { consent: 'PROFILE' },
  milestones: { consent: 'PROFILE' },
  statistics: { consent: 'PROFILE' },
  absences: { consent: 'PROFILE' },
  media: { consent: 'MEDIA', otherwise: none },
  imageUrl: { consent: 'MEDIA' },
  availability: { consent: 'CONTACT', otherwise: nothing },
};

/** The consent scope that a filter needs to match a minor. Null for filters by members that a restricted profile shows. */
const filterConsents: Readonly<Record<keyof AthleteFilter, ConsentScope | null>> = {
  q: 'PROFILE',
  sport: null,
  discipline: 'PROFILE',
  position: 'PROFILE',
  sex: null,
  nationality: 'PROFILE',
  country: null,
  ageMin: 'PROFILE',
  ageMax: 'PROFILE',
  level: 'PROFILE',
  organizationId: 'PROFILE',
  heightCmMin: 'PROFILE',
  heightCmMax: 'PROFILE',
  dominantFoot: 'PROFILE',
  dominantHand: 'PROFILE',
  language: 'PROFILE',
  freeAgent: 'PROFILE',
  contractUntil: 'PROFILE',
  openToOpportunities: 'CONTACT',
  availableFor: 'CONTACT',
  ids: null,
  verified: null,
  verification: null,
  status: null,
  mine: null,
  externalId: 'PROFILE',
  updatedSince: null,
};

const sortConsents: Partial<Record<AthleteSort, ConsentScope>> = { NAME_ASC: 'PROFILE', NAME_DESC: 'PROFILE' };

/** The consent scopes that a filter and a sort order need. A list includes only minors with all of them. */
export function requiredConsents(filter: AthleteFilter, sort: AthleteSort): readonly ConsentScope[] {
  const filters = keysOf(filter).flatMap((name) =>
    filter[name] === null || filter[name] === undefined ? [] : (filterConsents[name] ?? []),
  );
  return [...new Set([...filters, sortConsents[sort] ?? []].flat())];
}

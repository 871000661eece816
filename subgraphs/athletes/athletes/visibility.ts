/** The visibility matrix (docs/minors.md): what of an athlete is shown to whom. Which rows are shown at all: store/visibility.ts. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { AthleteRow } from './rows.ts';
import { isTreatedAsMinor } from './age.ts';
import type { Athlete, AthleteFilter, AthleteSort, AthleteStatus, ConsentScope, Visibility } from '../resolvers.generated.ts';

export interface VisibilityFacts {
  readonly status: AthleteStatus;
  readonly visibility: Visibility;
  readonly adultFrom: string | null;
  readonly activatedAsMinor: boolean;
}

/** Whether everybody may see the whole profile. */
export function isPublic(row: VisibilityFacts): boolean {
  return row.status === 'ACTIVE' && row.visibility === 'PUBLIC' && !isTreatedAsMinor(row);
}

/** Whether everybody may see the profile, or the restricted profile of a minor whose guardian has consented. */
export function hasPublicProfile(row: VisibilityFacts & { readonly consentScopes: readonly ConsentScope[] }): boolean {
  const { status, visibility, activatedAsMinor, consentScopes } = row;
  return (
    isPublic(row) || (status === 'ACTIVE' && visibility === 'PUBLIC' && activatedAsMinor && consentScopes.includes('PROFILE'))
  );
}

/** Whether somebody who is shown an athlete may be told scores of the athlete: of a minor by consent to PROFILING, and never without a key. */
export function canProfile(
  viewer: Viewer,
  row: Pick<AthleteRow, 'accountId' | 'adultFrom' | 'activatedAsMinor' | 'consentScopes'>,
): boolean {
  if (!isTreatedAsMinor(row) || owns(viewer, row.accountId) || hasFullAccess(viewer)) return true;
  return viewer.kind !== 'ANONYMOUS' && row.consentScopes.includes('PROFILING');
}

/** A field of a minor's profile: shown to everybody who sees the profile at all, or by a scope of consent to those who may read minors. */
type Rule<Value> = 'EVERYBODY' | { readonly consent: ConsentScope; readonly otherwise: (value: Value) => Value };

type Rules = {
  readonly [Field in Exclude<keyof Athlete, '__typename' | 'ref' | 'applicant' | 'lives'>]: Field extends keyof AthleteRow
    ? Rule<AthleteRow[Field]>
    : 'EVERYBODY' | { readonly consent: ConsentScope };
};

const nothing = (): null => null;
const none = (): never[] => [];

/** `Ada Maria Quillon` is `A. Q.`: the first letters, as readers see them, of the first and of the last word. */
export function initials(name: string): string {
  const words = name.split(/[\s-]+/u).filter(Boolean);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  const first = (word = ''): string => new Intl.Segmenter().segment(word)[Symbol.iterator]().next().value?.segment ?? '';
  return ends.map((word) => `${first(word).toLocaleUpperCase('en')}.`).join(' ');
}

/** One row for each field of an athlete; a field without a row does not compile. */
export const visibilityMatrix: Rules = {
  id: 'EVERYBODY',
  version: 'EVERYBODY',
  createdAt: 'EVERYBODY',
  updatedAt: 'EVERYBODY',
  status: 'EVERYBODY',
  restricted: 'EVERYBODY',
  ageGroup: 'EVERYBODY',
  sex: 'EVERYBODY',
  visibility: 'EVERYBODY',
  // the method may name a document of the minor
  verification: { consent: 'PROFILE', otherwise: ({ status, at }) => ({ status, method: null, at }) },
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
  statistics: { consent: 'PROFILE' },
  media: { consent: 'MEDIA', otherwise: none },
  availability: { consent: 'CONTACT', otherwise: nothing },
};

/** The consent by which a filter or an order reads what is hidden in a restricted profile; null where it reads what is shown. */
export const filterConsents: Readonly<Record<keyof AthleteFilter, ConsentScope | null>> = {
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
  openToOpportunities: 'CONTACT',
  verified: null,
  verification: null,
  status: null,
  mine: null,
  externalId: 'PROFILE',
  updatedSince: null,
};

const sortConsents: Partial<Record<AthleteSort, ConsentScope>> = { NAME_ASC: 'PROFILE', NAME_DESC: 'PROFILE' };

/** The consents that a list reads by, to filter and to sort: who is not shown these is not in it. */
export function requiredConsents(filter: AthleteFilter, sort: AthleteSort): readonly ConsentScope[] {
  const names = Object.keys(filter) as (keyof AthleteFilter)[];
  const filters = names.flatMap((name) =>
    filter[name] === null || filter[name] === undefined ? [] : (filterConsents[name] ?? []),
  );
  return [...new Set([...filters, sortConsents[sort] ?? []].flat())];
}

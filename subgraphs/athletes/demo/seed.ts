/** Demo data of the athletes area: profiles, statistics, absences, and projected organizations and memberships. */
import { openRandom, type Random } from '../../../platform/random.ts';
import { country as countryRow } from '../../../schema/countries.ts';
import type { DemoAthlete, DemoOrganization, DemoSquad, DemoData } from '../../../schema/demo.ts';
import { addExternalId, verification, type AddRow, type AreaSeed } from '../../runtime/area-seed.ts';
import { birthday } from '../../runtime/age.ts';
import { addAbsence } from './absences.ts';
import { generateBody } from './body.ts';
import { addStatistics } from './reports.ts';

const languages: Readonly<Record<string, string>> = {
  AR: 'es',
  BR: 'pt-BR',
  DE: 'de',
  ES: 'es',
  FR: 'fr',
  GB: 'en',
  GR: 'el',
  IT: 'it',
  JP: 'ja',
  KE: 'sw',
  KR: 'ko',
  NG: 'en',
  NL: 'nl',
  PL: 'pl',
  SE: 'sv',
  US: 'en',
};

const sideWeights = [
  ['RIGHT', 76],
  ['LEFT', 19],
  ['BOTH', 5],
] as const;
const footSports = new Set(['FOOTBALL']);
const handSports = new Set(['BASKETBALL', 'HANDBALL', 'TENNIS', 'VOLLEYBALL', 'COMBAT']);
const adultAge = 18;

function generateAvailability(random: Random, athlete: DemoAthlete): string {
  const open = athlete.age >= adultAge && random.chance(athlete.age < 24 ? 0.5 : 0.25);
  const types = open
    ? random.sample(
        athlete.age < 23 ? ['SCHOLARSHIP', 'TRIAL', 'SHOWCASE'] : ['TRIAL', 'SHOWCASE', 'TALENT_REQUEST'],
        random.integer(1, 3),
      )
    : [];
  return JSON.stringify({
    openToOpportunities: open,
    from: null,
    types,
    relocation: random.weighted([
      ['NONE', 30],
      ['NATIONAL', 42],
      ['INTERNATIONAL', 28],
    ]),
  });
}

function generateEducation(random: Random, athlete: DemoAthlete, organization: DemoOrganization, demo: DemoData): string | null {
  if (organization.type !== 'UNIVERSITY' || athlete.age < adultAge || athlete.age > 27) return null;
  const gpa = Math.round(random.normal(3.1, 0.4, 1.8, 4) * 100) / 100;
  return JSON.stringify({
    institutionId: organization.id,
    graduationYear: Number(demo.today.slice(0, 4)) + random.integer(0, 4),
    gpa,
    gpaScale: 4,
  });
}

function athleteRow(random: Random, athlete: DemoAthlete, organization: DemoOrganization, demo: DemoData) {
  const {
    id,
    displayName,
    givenName,
    familyName,
    nativeName,
    sport,
    discipline,
    positions,
    level,
    nationality,
    country,
    city,
    age,
    createdAt,
  } = athlete;
  const spoken = [
    ...new Set([languages[nationality] ?? 'en', languages[country] ?? 'en', ...(random.chance(0.5) ? ['en'] : [])]),
  ];
  const sports = [
    { sport, discipline, positions, primary: true, level, yearsExperience: Math.max(1, age - random.integer(6, 13)) },
  ];
  return {
    id,
    accountId: demo.account.id,
    createdAt,
    updatedAt: createdAt,
    status: athlete.status,
    displayName,
    givenName,
    familyName,
    knownAs: nativeName,
    dateOfBirth: athlete.dateOfBirth,
    adultFrom: birthday(athlete.dateOfBirth, adultAge),
    sex: athlete.sex,
    nationalities: [nationality],
    sportingNationality: countryRow(nationality)?.ioc ?? null,
    residence: JSON.stringify({ country, region: null, city }),
    sports: JSON.stringify(sports),
    sportCodes: [sport],
    ...generateBody(random, athlete),
    dominantFoot: footSports.has(sport) ? random.weighted(sideWeights) : null,
    dominantHand: handSports.has(sport) ? random.weighted(sideWeights) : null,
    education: generateEducation(random, athlete, organization, demo),
    availability: generateAvailability(random, athlete),
    languages: spoken,
    visibility: athlete.visibility,
    verification: verification(athlete.verified, createdAt),
    // the same text as searchText of athletes/rows.ts
    search: [displayName, givenName, familyName, nativeName].filter(Boolean).join(' '),
  };
}

const contractOf = ({ membership }: DemoAthlete): string | null =>
  membership?.status === 'ACTIVE' ? membership.contractUntil : null;

function addMembership(squad: DemoSquad, { id: athleteId, membership }: DemoAthlete, add: AddRow): void {
  if (!membership) return;
  const { id, teamId, status, type, startDate, endDate, contractUntil } = membership;
  add('membership', {
    id,
    version: 1,
    athleteId,
    organizationId: squad.organization.id,
    teamId,
    status,
    type,
    startDate,
    endDate,
    contractUntil,
  });
}

export const athletesSeed: AreaSeed = {
  tables: [
    'athlete',
    'athlete_sport',
    'external_id',
    'statistics',
    'statistic_metric',
    'athlete_rise',
    'absence',
    // filled by triggers; listed for their indexes
    'athlete_nationality',
    'name_key',
    'membership',
    'organization_account',
  ],
  squad(squad, demo, add) {
    const { organization, athletes } = squad;
    add('organization_account', {
      organizationId: organization.id,
      accountId: demo.account.id,
      verified: organization.verified,
    });
    for (const athlete of athletes) {
      const random = openRandom(`${athlete.id}/profile`);
      const row = athleteRow(random, athlete, organization, demo);
      add('athlete', row);
      add('athlete_sport', {
        createdAt: row.createdAt,
        athleteId: athlete.id,
        sport: athlete.sport,
        discipline: athlete.discipline,
        positions: athlete.positions,
        level: athlete.level,
        contractUntil: contractOf(athlete),
      });
      addExternalId(add, demo, 'athlete', athlete.id, `athlete-${athlete.number}`);
      addStatistics(random, athlete, demo, add);
      addMembership(squad, athlete, add);
      addAbsence(athlete, demo, add);
    }
  },
};

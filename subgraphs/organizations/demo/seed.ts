/** Demo data of the organizations area: organizations with facilities and staff, teams, memberships and transfers. */
import { openRandom, type Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoOrganization, DemoSquad, DemoTeam, DemoData } from '../../../schema/demo.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { MembershipRow } from '../memberships/rows.ts';
import { addTransfer } from './transfers.ts';
import { addExternalId, isShown, verification, type AddRow, type AreaSeed } from '../../runtime/area-seed.ts';

const venues: Readonly<Partial<Record<Sport, readonly [name: string, kind: string, surface: string, capacity: number]>>> = {
  FOOTBALL: ['Sports ground', 'STADIUM', 'GRASS', 4_000],
  BASKETBALL: ['Hall', 'HALL', 'PARQUET', 1_500],
  VOLLEYBALL: ['Hall', 'HALL', 'PARQUET', 1_000],
  RUGBY: ['Ground', 'STADIUM', 'GRASS', 3_000],
  COMBAT: ['Dojo', 'HALL', 'MAT', 200],
  TENNIS: ['Courts', 'COURT', 'CLAY', 400],
  ATHLETICS: ['Track', 'TRACK', 'SYNTHETIC', 2_000],
  SWIMMING: ['Pool', 'POOL', 'WATER', 600],
  CYCLING: ['Velodrome', 'VELODROME', 'WOOD', 1_200],
  HANDBALL: ['Hall', 'HALL', 'PARQUET', 1_200],
};

const programmes = [
  'Sports science',
  'Business',
  'Engineering',
  'Law',
  'Medicine',
  'Economics',
  'Computer science',
  'Education',
  'Languages',
];
const officers = [
  'Alex Morgan',
  'Kim Larsen',
  'Robin Vidal',
  'Sascha Berg',
  'Jamie Okoro',
  'Noa Lindqvist',
  'Charlie Duarte',
  'Sam Kowalski',
];
const staffRoles = ['COACH', 'COACH', 'SCOUT', 'SAFEGUARDING_OFFICER'] as const;

/** The number makes the domain unique. `.example` never resolves (RFC 2606). */
const domainOf = ({ number }: DemoOrganization): string => `org-${number}.example`;

function organizationRow(organization: DemoOrganization, random: Random, demo: DemoData) {
  const { id, type, name, country, city, sports, level, foundedYear, createdAt, verified } = organization;
  const [sport = 'FOOTBALL'] = sports;
  const place = venues[sport];
  if (!place) throw new Error(`${sport} has no demo data`);
  const [venue, kind, surface, capacity] = place;
  const shortName = name
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}]/gu, '').charAt(0))
    .join('')
    .slice(0, 5)
    .toUpperCase();
  const facility = {
    name: `${venue} ${city}`,
    kind,
    surface,
    capacity: Math.round(random.normal(capacity, capacity / 3, capacity / 4) / 50) * 50,
  };
  const recruiter = type === 'RECRUITER';
  return {
    id,
    accountId: demo.account.id,
    createdAt,
    updatedAt: createdAt,
    status: 'ACTIVE',
    type,
    name,
    shortName: shortName.length > 1 ? shortName : null,
    country,
    city,
    coordinates: JSON.stringify(organization.coordinates),
    website: `https://www.${domainOf(organization)}`,
    emailDomain: domainOf(organization),
    foundedYear,
    sports,
    level,
    facilities: JSON.stringify(recruiter ? [] : [facility]),
    contact: JSON.stringify({ name: random.pick(officers), email: `office@${domainOf(organization)}`, phone: null }),
    safeguarding: organization.safeguarded
      ? JSON.stringify({ policyUrl: `https://www.${domainOf(organization)}/safeguarding`, officerName: random.pick(officers) })
      : null,
    athleticDivision: type === 'UNIVERSITY' ? random.pick(['Division I', 'Division II', 'Division III']) : null,
    programmes: type === 'UNIVERSITY' ? random.sample(programmes, 4) : [],
    licenceNumber: recruiter ? `DEMO-${10_000 + organization.number}` : null,
    licenceBody: recruiter ? 'Demo Licensing Board' : null,
    licenceExpiresAt: recruiter ? `${Number(demo.today.slice(0, 4)) + random.integer(1, 3)}-12-31` : null,
    regions: recruiter ? [country] : [],
    verification: verification(verified, createdAt),
    search: shortName.length > 1 ? `${name} ${shortName}` : name,
  };
}

/** A row without the columns that PostgreSQL fills. */
type DemoMembership = Omit<MembershipRow, 'id' | 'version' | 'published' | 'positions'> & {
  readonly positions: readonly string[];
};

/** Default values of a membership, in the order of the columns. */
function membershipRow(demo: DemoData, organizationId: string, createdAt: string): DemoMembership {
  const accountId = demo.account.id;
  return {
    accountId,
    personAccountId: null,
    createdAt,
    updatedAt: createdAt,
    status: 'ACTIVE',
    personType: 'STAFF',
    athleteId: null,
    personName: null,
    organizationId,
    teamId: null,
    sport: null,
    role: 'COACH',
    type: 'PERMANENT',
    startDate: null,
    endDate: null,
    contractUntil: null,
    shirtNumber: null,
    positions: [],
  };
}

function addStaff(squad: DemoSquad, random: Random, demo: DemoData, add: AddRow): void {
  const { id, createdAt, type } = squad.organization;
  const roles = type === 'RECRUITER' ? (['RECRUITER', 'SCOUT'] as const) : random.sample(staffRoles, 2);
  for (const role of roles) {
    const personType = role === 'RECRUITER' ? 'RECRUITER' : 'STAFF';
    add('membership', {
      id: random.uuid(),
      ...membershipRow(demo, id, createdAt),
      personType,
      personName: random.pick(officers),
      role,
      startDate: createdAt.slice(0, 10),
    });
  }
}

function roleOf(athlete: DemoAthlete, type: DemoOrganization['type']): string {
  if (type === 'UNIVERSITY') return 'STUDENT_ATHLETE';
  return athlete.age < 18 ? 'YOUTH_PLAYER' : 'PLAYER';
}

function addMembers({ organization, athletes }: DemoSquad, demo: DemoData, add: AddRow): void {
  for (const athlete of athletes) {
    const { membership, sport, positions } = athlete;
    if (isShown(athlete)) add('public_athlete', { athleteId: athlete.id });
    if (!membership) continue;
    const { id, teamId, status, type, startDate, endDate, contractUntil, shirtNumber, createdAt } = membership;
    const of = {
      personAccountId: demo.account.id,
      personType: 'ATHLETE',
      athleteId: athlete.id,
      teamId,
      sport,
      role: roleOf(athlete, organization.type),
      positions,
    };
    add('membership', {
      id,
      ...membershipRow(demo, organization.id, createdAt),
      ...of,
      status,
      type,
      startDate,
      endDate,
      contractUntil,
      shirtNumber,
    });
    addTransfer(athlete, organization, demo, add);
  }
}

const teamRow = ({ id, name, sport, discipline, category, ageGroup, createdAt }: DemoTeam, { account }: DemoData) => ({
  id,
  accountId: account.id,
  createdAt,
  updatedAt: createdAt,
  name,
  sport,
  discipline,
  category,
  ageGroup,
  search: name,
});

export const organizationsSeed: AreaSeed = {
  tables: ['organization', 'team', 'public_athlete', 'membership', 'transfer', 'external_id'],
  demo(demo, add) {
    for (const team of demo.nationalTeams) {
      add('team', { ...teamRow(team, demo), organizationId: null, country: team.country });
      addExternalId(add, demo, 'team', team.id, `team-${team.sport}-${team.country}`);
    }
  },
  squad(squad, demo, add) {
    const { organization, teams } = squad;
    const random = openRandom(`${organization.id}/organization`);
    add('organization', organizationRow(organization, random, demo));
    addExternalId(add, demo, 'organization', organization.id, `organization-${organization.number}`);
    for (const [index, team] of teams.entries()) {
      add('team', { ...teamRow(team, demo), organizationId: organization.id, country: null });
      addExternalId(add, demo, 'team', team.id, `team-${organization.number}-${index + 1}`);
    }
    addStaff(squad, random, demo, add);
    addMembers(squad, demo, add);
  },
};

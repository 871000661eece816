/** The demo world as the areas agree on it: who exists, where, and with which ids. Each area adds what only it knows (its seed.ts). */
import type { DemoEdition } from './demo-edition.ts';
import type { Sport } from './sports.ts';

export type DemoLevel = 'GRASSROOTS' | 'SCHOOL' | 'ACADEMY' | 'REGIONAL' | 'NATIONAL' | 'INTERNATIONAL' | 'PROFESSIONAL';
export type DemoSex = 'MALE' | 'FEMALE';

/** An edition of a competition; days are `YYYY-MM-DD`. */
export interface DemoSeason {
  readonly id: string;
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  readonly status: 'PLANNED' | 'IN_PROGRESS' | 'FINISHED';
}

export interface DemoCompetition {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly sport: Sport;
  /** Null where it has several. */
  readonly discipline: string | null;
  readonly type: 'LEAGUE' | 'CUP' | 'TOURNAMENT' | 'SERIES' | 'MEET';
  readonly category: 'MEN' | 'WOMEN' | 'OPEN';
  readonly level: DemoLevel;
  /** Null when it crosses borders. */
  readonly country: string | null;
  readonly organizerName: string;
  readonly createdAt: string;
  /** Oldest first. */
  readonly seasons: readonly DemoSeason[];
}

export interface DemoOrganization {
  readonly id: string;
  /** From 1, in the order they are made; part of the external id. */
  readonly number: number;
  readonly type: 'CLUB' | 'ACADEMY' | 'UNIVERSITY' | 'RECRUITER';
  readonly name: string;
  readonly foundedYear: number;
  readonly country: string;
  readonly city: string;
  readonly sports: readonly Sport[];
  readonly level: DemoLevel | null;
  readonly verified: boolean;
  /** Whether it names a safeguarding officer; only then, and when it is verified, minors are welcome (domain.md section 4). */
  readonly safeguarded: boolean;
  readonly createdAt: string;
}

export interface DemoTeam {
  readonly id: string;
  readonly name: string;
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly category: 'MEN' | 'WOMEN' | 'MIXED';
  readonly ageGroup: 'SENIOR' | 'U21' | 'U18';
  readonly createdAt: string;
}

/** A team of a country, not of an organization. */
export interface DemoNationalTeam extends DemoTeam {
  readonly country: string;
}

/** An athlete's place in the organization of the squad. */
export interface DemoMembership {
  readonly id: string;
  readonly teamId: string;
  readonly status: 'ACTIVE' | 'ENDED';
  readonly type: 'PERMANENT' | 'LOAN' | 'TRIAL' | 'AMATEUR';
  readonly startDate: string;
  readonly endDate: string | null;
  readonly contractUntil: string | null;
  readonly shirtNumber: number | null;
  readonly createdAt: string;
}

export interface DemoAthlete {
  /** Random, as every athlete's: it does not tell when it was made. */
  readonly id: string;
  readonly number: number;
  readonly givenName: string;
  readonly familyName: string;
  readonly displayName: string;
  /** The name in the script of the country; null where that is the displayName. */
  readonly nativeName: string | null;
  readonly sex: DemoSex;
  readonly dateOfBirth: string;
  /** Age in whole years on the world's today. */
  readonly age: number;
  /** First nationality. */
  readonly nationality: string;
  /** Where the athlete lives. */
  readonly country: string;
  readonly city: string;
  readonly sport: Sport;
  readonly discipline: string;
  readonly positions: readonly string[];
  readonly level: DemoLevel;
  /** 0..1: how good the athlete is; drives the numbers, is shown nowhere. */
  readonly ability: number;
  readonly status: 'DRAFT' | 'ACTIVE' | 'INACTIVE' | 'PENDING_CONSENT' | 'SUSPENDED';
  readonly visibility: 'PUBLIC' | 'ORGANIZATIONS' | 'PRIVATE';
  readonly verified: boolean;
  readonly createdAt: string;
  readonly membership: DemoMembership | null;
  /** Where the athlete competes. */
  readonly competition: DemoCompetition | null;
}

/** An organization with its teams and the athletes around it; all the world besides the competitions is made of squads. */
export interface DemoSquad {
  readonly organization: DemoOrganization;
  readonly teams: readonly DemoTeam[];
  readonly athletes: readonly DemoAthlete[];
}

export interface DemoAccount {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

export interface DemoData {
  readonly seed: string;
  /** How many athletes the squads have together. */
  readonly athletes: number;
  /** The day the world stands at: nothing in it happened later, whenever it is loaded. */
  readonly today: string;
  /** Owns everything but what scouts keep. */
  readonly account: DemoAccount;
  /** Keep shortlists of athletes, and ask for contact with them. */
  readonly scouts: DemoAccount;
  readonly competitions: readonly DemoCompetition[];
  readonly nationalTeams: readonly DemoNationalTeam[];
  /** Seasons of these that are played match by match, one at a time, the same each time it is called. */
  editions(): Iterable<DemoEdition>;
  /** The same squads each time it is called, one at a time: memory does not grow with the world. */
  squads(): Iterable<DemoSquad>;
  /** Squads without athletes, which fill up leagues; they are few. */
  guests(): Iterable<DemoSquad>;
}

/** Scheme of the external ids of demo resources. */
export const demoScheme = 'DEMO';

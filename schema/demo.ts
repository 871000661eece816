/** The demo data that all areas share: resources and their ids. Each area adds its own details in its demo/seed.ts. */
import type { DemoEdition, DemoPlayedSeason } from './demo-edition.ts';
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
  /** Null for several. */
  readonly discipline: string | null;
  readonly type: 'LEAGUE' | 'CUP' | 'TOURNAMENT' | 'SERIES' | 'MEET';
  readonly category: 'MEN' | 'WOMEN' | 'OPEN';
  readonly level: DemoLevel;
  /** Null for an international competition. */
  readonly country: string | null;
  readonly organizerName: string;
  /** Of a league; 1 is the highest. */
  readonly tier: number | null;
  /** The next higher league. */
  readonly promotesToId: string | null;
  readonly createdAt: string;
  /** Oldest first. */
  readonly seasons: readonly DemoSeason[];
}

export interface DemoOrganization {
  readonly id: string;
  /** Sequence number from 1; part of the external id. */
  readonly number: number;
  readonly type: 'CLUB' | 'ACADEMY' | 'UNIVERSITY' | 'RECRUITER';
  readonly name: string;
  readonly foundedYear: number;
  readonly country: string;
  readonly city: string;
  /** Of the city, in degrees. */
  readonly coordinates: { readonly latitude: number; readonly longitude: number };
  readonly sports: readonly Sport[];
  readonly level: DemoLevel | null;
  readonly verified: boolean;
  /** Whether the organization has a safeguarding officer. Minors require one, and a verified organization (docs/minors.md). */
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

/** The membership of an athlete in the organization of the squad. */
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
  /** A random UUIDv4, as for every athlete: it does not reveal the time of creation. */
  readonly id: string;
  readonly number: number;
  readonly givenName: string;
  readonly familyName: string;
  readonly displayName: string;
  /** The name in the script of the country; null when it equals displayName. */
  readonly nativeName: string | null;
  readonly sex: DemoSex;
  readonly dateOfBirth: string;
  /** Age in whole years on the reference day of the demo data. */
  readonly age: number;
  /** First nationality. */
  readonly nationality: string;
  /** Residence of the athlete. */
  readonly country: string;
  readonly city: string;
  readonly sport: Sport;
  readonly discipline: string;
  readonly positions: readonly string[];
  readonly level: DemoLevel;
  /** Ability from 0 to 1. It drives the generated statistics and is not published. */
  readonly ability: number;
  readonly status: 'DRAFT' | 'ACTIVE' | 'INACTIVE' | 'PENDING_CONSENT' | 'SUSPENDED';
  readonly visibility: 'PUBLIC' | 'ORGANIZATIONS' | 'PRIVATE';
  readonly verified: boolean;
  readonly createdAt: string;
  readonly membership: DemoMembership | null;
  /** The competition of reported seasons without matches; null in data sets that have none. */
  readonly competition: DemoCompetition | null;
}

/** An organization with its teams and athletes. All demo data except competitions consists of squads. */
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
  /** Number of athletes in all squads. */
  readonly athletes: number;
  /** The reference day: no generated event is later, whenever the data is loaded. */
  readonly today: string;
  /** Owner of everything except shortlists and contact requests. */
  readonly account: DemoAccount;
  /** Accounts with shortlists and contact requests. */
  readonly scouts: DemoAccount;
  readonly competitions: readonly DemoCompetition[];
  readonly nationalTeams: readonly DemoNationalTeam[];
  /** Seasons with matches. Their number is bounded, whatever the number of athletes. */
  editions(): Iterable<DemoEdition>;
  /** The seasons in which an athlete played matches. */
  playedSeasons(athleteId: string): readonly DemoPlayedSeason[];
  /** Squads, generated one at a time so that memory stays constant; every call returns the same squads. */
  squads(): Iterable<DemoSquad>;
  /** Squads without athletes that complete leagues. */
  guests(): Iterable<DemoSquad>;
}

/**
 * Data sets with at least this many athletes, for measurements, also have competitions without matches, about five reports of seasons and
 * careers per athlete, and self-reported rows. In smaller ones, every season of an athlete has its matches.
 */
export const reportedSeasonsFrom = 100_000;

/** Scheme of the external ids of demo resources. */
export const demoScheme = 'DEMO';

/** Resolvers of sign-in: only the router calls them. */
import type { Secrets } from '../../../platform/security/secrets.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forPlatform } from '../access.ts';
import { administratorPopulation } from '../administrators/population.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import type { Population as PopulationName, Resolvers } from '../generated/resolvers.ts';
import type { MemberReads } from '../members/reads.ts';
import { createMemberWrites } from '../members/writes.ts';
import { createChallenges } from '../passkeys/challenges.ts';
import { createPasskeySignIn } from '../passkeys/passkey-sign-in.ts';
import { createPasskeyRegistration } from '../passkeys/registration.ts';
import { userPopulation } from '../portal-users/population.ts';
import type { PortalUserReads } from '../portal-users/reads.ts';
import { createIdentitySignIn } from './identities.ts';
import { createPasswordSignIn } from './password-sign-in.ts';
import type { Population } from './population.ts';
import { registerUser } from './registration.ts';
import { createSecondFactorSetup } from './second-factor-setup.ts';
import { createSecondFactors, type SecondFactors } from './second-factors.ts';
import { createFirstOwnerLink, createSetup } from './setup.ts';

export type SecondFactorsByPopulation = Readonly<Record<PopulationName, SecondFactors>>;

/** The second factors of both populations. */
export const createAllSecondFactors = ({ database }: AreaServices, secrets: Secrets): SecondFactorsByPopulation => ({
  ADMINISTRATORS: createSecondFactors(database, secrets, 'ADMINISTRATORS'),
  USERS: createSecondFactors(database, secrets, 'USERS'),
});

/** The sign-in of one population by password, passkey, OpenID identity and setup link. */
function createSignIn(services: AreaServices, secrets: Secrets, population: Population, factors: SecondFactors) {
  const { database } = services;
  const passwords = createPasswordSignIn(services, population, factors);
  return {
    ...passwords,
    setup: createSetup(services, population, factors),
    identities: createIdentitySignIn(services, population),
    passkeys: createPasskeyRegistration(services, population, passwords),
    passkeySignIn: createPasskeySignIn(services, population, createChallenges(secrets, population.name)),
    secondFactor: createSecondFactorSetup(services, population, factors, passwords),
    open: (token: string) => population.sessions.open(database, token),
    touch: (token: string) => population.sessions.touch(database, token),
  };
}

interface Reads {
  readonly administrators: AdministratorReads;
  readonly users: PortalUserReads;
  readonly members: MemberReads;
  readonly factors: SecondFactorsByPopulation;
}

/** Sign-in of both populations. */
export function signInResolvers(services: AreaServices, secrets: Secrets, { administrators, users, members, factors }: Reads) {
  const of = {
    ADMINISTRATORS: createSignIn(services, secrets, administratorPopulation, factors.ADMINISTRATORS),
    USERS: createSignIn(services, secrets, userPopulation, factors.USERS),
  } as const;
  const memberWrites = createMemberWrites(services);

  return {
    Query: {
      passkeys: forPlatform((args) => of[args.population].passkeys.list(args)),
      hasAdministrators: forPlatform(() => administrators.exist()),
      openSession: forPlatform(({ token, population }) => of[population].open(token)),
      setupLink: forPlatform(({ token, population }) => of[population].setup.findLink(token)),
    },
    Mutation: {
      createSetupLink: forPlatform(() => createFirstOwnerLink(services)),
      completeSetup: forPlatform(({ input, client, population }) => of[population].setup.complete(input, client)),
      signIn: forPlatform(({ input, client, population }) => of[population].signIn(input, client)),
      signInByIdentity: forPlatform(({ input, client, population }) => of[population].identities.signIn(input, client)),
      touchSession: forPlatform(({ token, population }) => of[population].touch(token)),
      endSession: forPlatform((args) => of[args.population].endSession(args)),
      changePassword: forPlatform((args) => of[args.population].changePassword(args)),
      acceptInvitation: forPlatform((args) => memberWrites.accept(args)),
      registerUser: forPlatform(({ input, client }) => registerUser(services, input, client)),
      prepareSecondFactor: forPlatform((args) => of[args.population].secondFactor.prepare(args)),
      confirmSecondFactor: forPlatform((args) => of[args.population].secondFactor.confirm(args)),
      removeSecondFactor: forPlatform((args) => of[args.population].secondFactor.remove(args)),
      preparePasskey: forPlatform((args) => of[args.population].passkeys.prepare(args)),
      confirmPasskey: forPlatform((args) => of[args.population].passkeys.confirm(args)),
      removePasskey: forPlatform((args) => of[args.population].passkeys.remove(args)),
      createPasskeyChallenge: forPlatform(({ relyingParty, population }) => of[population].passkeySignIn.challenge(relyingParty)),
      signInByPasskey: forPlatform((args) => of[args.population].passkeySignIn.signIn(args)),
    },
    OpenSession: {
      administrator: ({ personId, population }, _, context) =>
        population === 'ADMINISTRATORS' ? context.load(administrators.byId, personId) : null,
      user: ({ personId, population }, _, context) => (population === 'USERS' ? context.load(users.byId, personId) : null),
      memberships: ({ personId, population }) => (population === 'USERS' ? members.ofSession(personId) : null),
      membership: ({ personId, population }, { accountId, includesSuspended }) =>
        population === 'USERS' ? members.inAccount(personId, accountId, includesSuspended) : null,
    },
  } satisfies Resolvers;
}

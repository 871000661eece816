/** Resolvers of administrators and of how they come in: one line a field. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { requireRight, requireSystem } from './rules.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { requireAdministrator } from '../rules.ts';
import { createAdministratorStore } from './reads.ts';
import { createAdministratorWrites } from './writes.ts';
import { createSessionStore } from './sessions.ts';
import { createIdentities } from '../sign-in/identities.ts';
import { createSetup } from '../sign-in/setup.ts';
import { createSignIn } from '../sign-in/password-sign-in.ts';

type Resolve<Args, Result> = (args: Args, context: Context) => Result;

/** Who may know who administers: every administrator. */
const seen =
  <Args, Result>(resolve: Resolve<Args, Result>) =>
  (_: unknown, args: Args, context: Context): Result => {
    requireAdministrator(context.viewer);
    return resolve(args, context);
  };

/** Who decides on it: by role. */
const decided =
  <Args, Result>(resolve: Resolve<Args, Result>) =>
  (_: unknown, args: Args, context: Context): Result => {
    requireRight(context.viewer, 'administrators:write');
    return resolve(args, context);
  };

/** What the router alone asks. */
const asked =
  <Args, Result>(resolve: Resolve<Args, Result>) =>
  (_: unknown, args: Args, context: Context): Result => {
    requireSystem(context.viewer);
    return resolve(args, context);
  };

/** The part of the area's resolvers that is about administrators. */
export function administratorResolvers(services: AreaServices) {
  const administrators = createAdministratorStore(services);
  const writes = createAdministratorWrites(services);
  const sessions = createSessionStore(services);
  const setup = createSetup(services);
  const signIn = createSignIn(services, sessions);
  const identities = createIdentities(services);

  return {
    Query: {
      administrators: seen((args) => administrators.list(args)),
      administrator: seen(({ id }, context) => context.load(administrators.byId, id)),
      hasAdministrators: asked(() => administrators.exist()),
      openSession: asked(({ token }) => sessions.open(token)),
      setupLink: asked(({ token }) => setup.lookUp(token)),
    },
    Mutation: {
      inviteAdministrator: decided(({ input }, context) => writes.invite(context, input)),
      resetAdministrator: decided(({ id }, context) => writes.reset(context, id)),
      updateAdministrator: decided(({ id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch)),
      disableAdministrator: decided(({ id, reason }, context) => writes.disable(context, id, reason)),
      enableAdministrator: decided(({ id }, context) => writes.enable(context, id)),
      endAdministratorSessions: decided(({ id }, context) => writes.endSessions(context, id)),
      endAdministratorSession: decided(({ id }, context) => writes.endSession(context, id)),
      createSetupLink: asked(() => setup.createLink()),
      completeSetup: asked(({ input, client }) => setup.complete(input, client)),
      signIn: asked(({ input, client }) => signIn.signIn(input, client)),
      signInByIdentity: asked(({ input, client }) => identities.signIn(input, client)),
      touchSession: asked(({ token }) => sessions.touch(token)),
      endSession: asked((args) => signIn.endSession(args)),
      changePassword: asked((args) => signIn.changePassword(args)),
    },
    Administrator: {
      sessions({ id }, _, context) {
        const { administrator } = context.viewer;
        const mayLook = administrator === undefined || administrator.id === id || administrator.role === 'OWNER';
        return mayLook ? context.load(sessions.ofAdministrators, id) : null;
      },
    },
    AdministratorSession: {
      current: ({ id }, _, { viewer }) => viewer.administrator?.sessionId === id,
    },
    OpenSession: {
      async administrator({ administratorId }, _, context) {
        const row = await context.load(administrators.byId, administratorId);
        if (row === null) throw new Error('A session belongs to nobody.');
        return row;
      },
    },
  } satisfies Resolvers;
}

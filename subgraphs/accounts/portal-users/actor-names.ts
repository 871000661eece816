/** Names of stored actors (administrators/actor.ts). Members do not read the names of administrators. */
import { administratorIdOf, userIdOf } from '../administrators/actor.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { PortalUserReads } from './reads.ts';

export interface ActorNames {
  /** The name of the administrator or user whose ID the column stores; other actors unchanged. */
  nameOf<Actor extends string | null>(actor: Actor, context: Context): Promise<Actor | string>;
}

export function createActorNames(administrators: AdministratorReads, users: PortalUserReads): ActorNames {
  return {
    async nameOf(actor, context) {
      const userId = userIdOf(actor);
      if (userId !== null) return (await context.load(users.byId, userId))?.name ?? actor ?? '';
      const id = administratorIdOf(actor);
      if (id === null) return actor;
      if (context.viewer.kind === 'MEMBER') return 'ADMINISTRATOR';
      return (await context.load(administrators.byId, id))?.name ?? actor ?? '';
    },
  };
}

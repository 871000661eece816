/** Resolvers of announcements. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forMembers, forScope } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createAnnouncementReads } from './reads.ts';
import { createAnnouncementWrites } from './writes.ts';

const managed = forScope('administration:write');

/** Announcements: written by administrators, read by members. */
export function announcementResolvers(services: AreaServices) {
  const reads = createAnnouncementReads(services);
  const writes = createAnnouncementWrites(services, reads);
  return {
    Query: {
      announcements: forMembers((args) => reads.published(args)),
      allAnnouncements: forAdministrators((args) => reads.all(args)),
    },
    Mutation: {
      createAnnouncement: managed((args, context) => writes.create(context, args)),
      updateAnnouncement: managed((args, context) => writes.update(context, args)),
      deleteAnnouncement: managed(({ id }, context) => writes.remove(context, id)),
    },
  } satisfies Resolvers;
}

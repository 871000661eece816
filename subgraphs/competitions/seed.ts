/** Demo data: the competitions of the world and their seasons. */
import { addExternalId, type AreaSeed } from '../seed.ts';

export const competitionsSeed: AreaSeed = {
  tables: ['competition', 'season', 'external_id'],
  world(world, add) {
    const accountId = world.account.id;
    for (const competition of world.competitions) {
      const { id, code, name, sport, discipline, type, category, level, country, organizerName, createdAt } = competition;
      const facts = {
        status: 'PUBLISHED',
        name,
        code,
        sport,
        discipline,
        type,
        category,
        ageGroup: 'SENIOR',
        level,
        country,
        organizerName,
      };
      add('competition', { id, accountId, createdAt, updatedAt: createdAt, ...facts, search: `${name} ${code}` });
      addExternalId(add, world, 'competition', id, code);
      for (const season of competition.seasons) {
        const { name: edition, startDate, endDate, status } = season;
        // A season is made when the one before it is played, so the first ones come with their competition.
        const madeAt = [createdAt, `${Number(startDate.slice(0, 4)) - 1}-12-01T09:00:00.000Z`].sort().at(-1) ?? createdAt;
        const at = madeAt > world.today ? createdAt : madeAt;
        add('season', {
          id: season.id,
          accountId,
          createdAt: at,
          updatedAt: at,
          status,
          competitionId: id,
          published: true,
          sport,
          name: edition,
          startDate,
          endDate,
        });
        addExternalId(add, world, 'season', season.id, `${code}-${edition}`);
      }
    }
  },
};

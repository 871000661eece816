/** Resolvers of milestones. */
import { isFieldVisible } from '../athletes/restriction.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { Reads } from '../reads.ts';
import { ageAt } from './milestones.ts';

export function milestoneResolvers({ milestones }: Pick<Reads, 'milestones'>): Resolvers {
  return {
    Athlete: {
      milestones: async (row, _, context) => {
        if (!isFieldVisible(row, 'milestones')) return [];
        const found = await context.load(milestones.ofAthletes, row.id);
        return found.map((each) => ({ ...each, ageYears: ageAt(row, each.date) }));
      },
    },
  };
}

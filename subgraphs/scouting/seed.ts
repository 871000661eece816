/** Demo data: this area makes its prospects of the athletes by its own projection, from the first id to the last. */
import type { AreaSeed } from '../seed.ts';

export const scoutingSeed: AreaSeed = {
  tables: ['projection_sweep'],
  world(_, add) {
    for (const name of ['athletes', 'opportunities']) add('projection_sweep', { name });
  },
};

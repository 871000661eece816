/** The plan of the demo world: deterministic from a text and a size, so that areas that never meet agree on every id. */
import { openRandom } from '../../platform/random.ts';
import type { DemoCompetition, DemoSquad, DemoWorld } from '../../schema/demo.ts';
import { drawCompetitions } from './competitions.ts';
import { drawOrganization, sizeOf } from './organizations.ts';
import { drawSquad } from './squads.ts';

export interface DemoWorldOptions {
  /** Equal texts and sizes give equal worlds. */
  readonly seed: string;
  readonly athletes: number;
}

const athletesPerOrganization = 25;

/** A fixed month, not the clock's: the same seed gives the same rows on any day. */
const firstToday = '2026-10-01';
const lastToday = '2026-10-31';

/** Where an athlete of a sport competes: the league of the country and sex, or what the discipline has. */
export function competitionKey(sport: string, of: string, category: string): string {
  return `${sport}/${of}/${category}`;
}

export function createDemoWorld({ seed, athletes }: DemoWorldOptions): DemoWorld {
  const random = openRandom(seed);
  const today = random.fork('today').dateBetween(firstToday, lastToday);
  const competitions = drawCompetitions(random.fork('competitions'), today);
  const byKey = new Map<string, DemoCompetition>(
    competitions.flatMap((each) =>
      each.type === 'CUP' ? [] : [[competitionKey(each.sport, each.country ?? each.discipline, each.category), each]],
    ),
  );
  const organizations = Math.max(1, Math.round(athletes / athletesPerOrganization));

  function* squads(): Generator<DemoSquad> {
    let number = 1;
    for (let index = 0; index < organizations; index += 1) {
      const source = random.fork(`squad/${index}`);
      const last = index === organizations - 1;
      const organization = drawOrganization(source, index, { today, type: last ? 'CLUB' : null, many: organizations > 500 });
      const left = athletes - number + 1;
      const size = last ? left : sizeOf(source, organization, left, organizations - index);
      yield drawSquad(source, organization, {
        today,
        first: number,
        size,
        competitionOf: (...key) => byKey.get(competitionKey(...key)) ?? null,
      });
      number += size;
    }
  }

  return {
    seed,
    athletes,
    today,
    account: {
      id: random.fork(`account/${athletes}`).uuid(),
      name: 'Demo data',
      createdAt: `${Number(today.slice(0, 4)) - 2}${today.slice(4)}T00:00:00.000Z`,
    },
    competitions,
    squads,
  };
}

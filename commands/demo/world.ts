/** Generates the demo data from a text and a size, so that areas agree on every ID without communication. */
import { openRandom } from '../../platform/random.ts';
import type { DemoCompetition, DemoSquad, DemoData } from '../../schema/demo.ts';
import { countryName } from '../../schema/countries.ts';
import { chooseCast, type Cast } from './cast.ts';
import { drawCompetitions } from './competitions.ts';
import { drawEditions } from './editions.ts';
import { drawInternationals } from './internationals.ts';
import { yearsBefore } from './moments.ts';
import { nationalTeams } from './national-teams.ts';
import { drawOrganization, sizeOf } from './organizations.ts';
import { drawSquad } from './squads.ts';

export interface DemoDataOptions {
  /** The same text and size give the same demo data. */
  readonly seed: string;
  readonly athletes: number;
  /** Reference day, YYYY-MM-DD. Days and ages depend on it, IDs do not. */
  readonly today: string;
}

const athletesPerOrganization = 25;

/** Where an athlete of a sport competes: the league of the country and sex, or the discipline's competition. */
function competitionKey(sport: string, of: string, category: string): string {
  return `${sport}/${of}/${category}`;
}

export function createDemoData({ seed, athletes, today }: DemoDataOptions): DemoData {
  const random = openRandom(seed);
  const national = drawCompetitions(random.fork('competitions'), today);
  const internationals = drawInternationals(random.fork('internationals'), today);
  const byKey = new Map<string, DemoCompetition>(
    national.flatMap((each) =>
      each.type === 'CUP' ? [] : [[competitionKey(each.sport, each.country ?? each.discipline ?? '', each.category), each]],
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

  let known: Cast | null = null;
  const cast = (): Cast =>
    (known ??= chooseCast(squads(), random.fork('cast'), {
      today,
      firstNumber: organizations + 1,
      nameOf: (country) => countryName(country) ?? country,
    }));
  const opened = `${yearsBefore(today, 2)}T00:00:00.000Z`;

  return {
    seed,
    athletes,
    today,
    account: {
      id: random.fork(`account/${athletes}`).uuid(),
      name: 'Demo data',
      createdAt: opened,
    },
    scouts: { id: random.fork(`scouts/${athletes}`).uuid(), name: 'Demo scouts', createdAt: opened },
    competitions: [...national, ...internationals.map(({ competition }) => competition)],
    nationalTeams: nationalTeams(opened),
    editions: () => drawEditions(random.fork('editions'), { today, internationals, cast: cast() }),
    squads,
    guests: () => cast().guests,
  };
}

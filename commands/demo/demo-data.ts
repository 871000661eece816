/** Generates the demo data from a text and a size, so that areas agree on every ID without communication. */
import { openRandom } from '../../platform/random.ts';
import { reportedSeasonsFrom, type DemoCompetition, type DemoSquad, type DemoData } from '../../schema/demo.ts';
import type { DemoEdition, DemoPlayedSeason } from '../../schema/demo-edition.ts';
import { countryName } from '../../schema/countries.ts';
import { selectRoster, type Roster } from './roster.ts';
import { generateCompetitions } from './competitions.ts';
import { generateEditions } from './editions.ts';
import { generateInternationals } from './internationals.ts';
import { yearsBefore } from './moments.ts';
import { nationalTeams } from './national-teams.ts';
import { generateOrganization, sizeOf } from './organizations.ts';
import { generateSquad } from './squads.ts';

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
  const reported = athletes < reportedSeasonsFrom ? [] : generateCompetitions(random.fork('competitions'), today);
  const byKey = new Map<string, DemoCompetition>(
    reported.flatMap((each) =>
      each.type === 'CUP' ? [] : [[competitionKey(each.sport, each.country ?? each.discipline ?? '', each.category), each]],
    ),
  );
  const organizations = Math.max(1, Math.round(athletes / athletesPerOrganization));

  function* squads(): Generator<DemoSquad> {
    let number = 1;
    for (let index = 0; index < organizations; index += 1) {
      const source = random.fork(`squad/${index}`);
      const last = index === organizations - 1;
      const organization = generateOrganization(source, index, { today, type: last ? 'CLUB' : null, many: organizations > 500 });
      const left = athletes - number + 1;
      const size = last ? left : sizeOf(source, organization, left, organizations - index);
      yield generateSquad(source, organization, {
        today,
        first: number,
        size,
        competitionOf: (...key) => byKey.get(competitionKey(...key)) ?? null,
      });
      number += size;
    }
  }

  let known: Roster | null = null;
  const roster = (): Roster =>
    (known ??= selectRoster(squads(), random.fork('cast'), {
      today,
      firstNumber: organizations + 1,
      nameOf: (country) => countryName(country) ?? country,
    }));
  const internationals = generateInternationals(random.fork('internationals'), today, (sport, sex) =>
    roster()
      .leagues(sport, sex)
      .map(({ length }) => length),
  );
  let generated: readonly DemoEdition[] | null = null;
  const editions = (): readonly DemoEdition[] =>
    (generated ??= [...generateEditions(random.fork('editions'), { today, internationals, roster: roster() })]);
  let played: ReadonlyMap<string, readonly DemoPlayedSeason[]> | null = null;
  const playedByAthlete = (): ReadonlyMap<string, readonly DemoPlayedSeason[]> =>
    (played ??= Map.groupBy(
      editions().flatMap((edition) => edition.played),
      ({ athleteId }) => athleteId,
    ));
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
    competitions: [...reported, ...internationals.map(({ competition }) => competition)],
    nationalTeams: nationalTeams(opened),
    editions,
    playedSeasons: (athleteId) => playedByAthlete().get(athleteId) ?? [],
    squads,
    guests: () => roster().guests,
  };
}

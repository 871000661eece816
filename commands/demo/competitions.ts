/** The competitions of the demo data: national leagues and cups of team sports, and series, meets and tournaments of the others. */
import type { Random } from '../../platform/random.ts';
import { countryName } from '../../schema/countries.ts';
import type { DemoCompetition, DemoSeason } from '../../schema/demo.ts';
import { sports, type Sport } from '../../schema/sports.ts';
import { cupSex } from './internationals.ts';
import { addDays, momentBetween, yearsBefore } from './moments.ts';
import { demoCountries } from './names.ts';
import { demoSportNames, demoSports } from './sports.ts';

const individualTypes: Partial<Readonly<Record<Sport, readonly [DemoCompetition['type'], string]>>> = {
  COMBAT: ['TOURNAMENT', 'Grand Tournament'],
  TENNIS: ['SERIES', 'Tour'],
  ATHLETICS: ['MEET', 'Meeting Circuit'],
  SWIMMING: ['MEET', 'Open Meet'],
  CYCLING: ['SERIES', 'Series'],
};

/** Four editions, the last one in progress or in the future; leagues run over the winter, others within a year. */
function generateSeasons(random: Random, today: string, winter: boolean): DemoSeason[] {
  const year = Number(today.slice(0, 4));
  return [year - 2, year - 1, year, year + 1].slice(0, winter ? 3 : 4).map((first) => {
    const startDate = winter
      ? addDays(`${first}-08-10`, random.integer(0, 25))
      : addDays(`${first}-01-20`, random.integer(0, 60));
    const endDate = winter
      ? addDays(`${first + 1}-05-10`, random.integer(0, 35))
      : addDays(`${first}-10-31`, random.integer(0, 40));
    const status = endDate < today ? 'FINISHED' : startDate <= today ? 'IN_PROGRESS' : 'PLANNED';
    return {
      id: random.uuid(),
      name: winter ? `${first}/${String(first + 1).slice(2)}` : String(first),
      startDate,
      endDate,
      status,
    };
  });
}

const womens = { MEN: '', WOMEN: ' Women', OPEN: '' } as const;

type Plan = Pick<DemoCompetition, 'sport' | 'discipline' | 'type' | 'category' | 'level' | 'country'> & {
  readonly title: string;
  readonly code: string;
};

function* plans(): Generator<Plan> {
  for (const sport of demoSportNames) {
    const title = sports[sport].title;
    const individual = individualTypes[sport];
    const [discipline] = demoSports[sport].disciplines[0] ?? [''];
    const sexes = ['MEN', 'WOMEN'] as const;
    if (!individual) {
      for (const country of demoCountries) {
        for (const category of sexes) {
          const name = `${countryName(country) ?? country} ${title} League${womens[category]}`;
          yield {
            sport,
            discipline,
            type: 'LEAGUE',
            category,
            level: 'NATIONAL',
            country,
            title: name,
            code: `${country}-${sport.slice(0, 2)}${category.slice(0, 1)}L`,
          };
        }
      }
      // internationals.ts creates the other cup
      for (const category of sexes.filter((each) => each === (cupSex[sport] === 'MALE' ? 'WOMEN' : 'MEN')))
        yield {
          sport,
          discipline,
          type: 'CUP',
          category,
          level: 'INTERNATIONAL',
          country: null,
          title: `International ${title} Cup${womens[category]}`,
          code: `INT-${sport.slice(0, 2)}${category.slice(0, 1)}C`,
        };
      continue;
    }
    const [type, word] = individual;
    for (const each of sports[sport].disciplines) {
      const spoken = each.charAt(0) + each.slice(1).toLowerCase().replaceAll('_', ' ');
      yield {
        sport,
        discipline: each,
        type,
        category: 'OPEN',
        level: 'INTERNATIONAL',
        country: null,
        title: `${title} ${word}: ${spoken}`,
        code: `${sport.slice(0, 3)}-${each.slice(0, 4)}`,
      };
    }
  }
}

export function generateCompetitions(random: Random, today: string): DemoCompetition[] {
  const opening = yearsBefore(today, 2);
  return [...plans()].map(({ title, country, ...plan }) => ({
    ...plan,
    id: random.uuid(),
    name: title,
    country,
    organizerName:
      country === null
        ? `Demo ${sports[plan.sport].title} Union`
        : `Demo ${sports[plan.sport].title} Association of ${countryName(country) ?? country}`,
    tier: plan.type === 'LEAGUE' ? 1 : null,
    promotesToId: null,
    createdAt: momentBetween(random, opening, addDays(opening, 60)),
    seasons: generateSeasons(random, today, demoSports[plan.sport].leagues),
  }));
}

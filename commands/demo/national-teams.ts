/** The national teams of the demo data: one per country in every sport with an international cup. */
import { openRandom } from '../../platform/random.ts';
import { countryName } from '../../schema/countries.ts';
import type { DemoNationalTeam } from '../../schema/demo.ts';
import { sportNames, sports, type Sport } from '../../schema/sports.ts';
import { cupSex } from './internationals.ts';
import { demoCountries, type DemoCountry } from './names.ts';
import { demoSports } from './sports.ts';

/** The same in all demo data, so a second load into one database is rejected. */
export const nationalTeamId = (sport: Sport, country: DemoCountry): string =>
  openRandom(`national team/${sport}/${country}`).uuid();

export function nationalTeams(createdAt: string): DemoNationalTeam[] {
  return sportNames.flatMap((sport) => {
    const sex = cupSex[sport];
    if (sex === undefined) return [];
    return demoCountries.map((country) => ({
      id: nationalTeamId(sport, country),
      name: `${countryName(country) ?? country} ${sports[sport].title}${sex === 'FEMALE' ? ' Women' : ''}`,
      sport,
      discipline: demoSports[sport].disciplines[0]?.[0] ?? null,
      category: sex === 'MALE' ? 'MEN' : 'WOMEN',
      ageGroup: 'SENIOR',
      country,
      createdAt,
    }));
  });
}

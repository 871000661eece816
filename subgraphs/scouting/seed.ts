/** Demo data: the prospects this area would have made of the athletes' events, by its own projection. */
import { openRandom } from '../../platform/random.ts';
import type { DemoAthlete } from '../../schema/demo.ts';
import { isShown, type AreaSeed } from '../seed.ts';
import { prospectOf, type AthleteFacts } from './store/projection.ts';
import { modelVersion } from './score.ts';

const grown = 18;

function factsOf(athlete: DemoAthlete): AthleteFacts {
  const { id, age, dateOfBirth, sex, nationality, country, verified, sport, positions, level } = athlete;
  const minor = age < grown;
  const sports = [{ sport, positions, primary: true, level }];
  return {
    id,
    public: isShown(athlete),
    minor,
    dateOfBirth,
    birthYear: null,
    sex,
    nationalities: [nationality],
    country,
    sports,
    verified,
  };
}

export const scoutingSeed: AreaSeed = {
  tables: ['prospect'],
  squad({ athletes }, { today }, add) {
    for (const athlete of athletes) {
      const row = prospectOf(factsOf(athlete), today);
      if (!row) continue;
      add('prospect', {
        id: openRandom(`${athlete.id}/prospect`).uuid(),
        athleteId: row.athlete_id,
        sport: row.sport,
        positions: row.positions,
        sex: row.sex,
        country: row.country,
        level: row.level,
        bornBy: row.born_by,
        ageBand: row.age_band,
        cohort: row.cohort,
        talentScore: row.talentScore,
        components: JSON.stringify(row.components),
        confidence: row.confidence,
        modelVersion,
        computedAt: `${today}T04:00:00.000Z`,
        refreshOn: row.refresh_on,
      });
    }
  },
};

/** Generates height, weight and weight class of demo athletes. */
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete, DemoSex } from '../../../schema/demo.ts';
import type { Sport } from '../../../schema/sports.ts';

/** Mean height in cm and mean body mass index of seniors, as [men, women]. */
const builds: Readonly<
  Partial<Record<Sport, { readonly heightCm: readonly [number, number]; readonly bmi: readonly [number, number] }>>
> = {
  FOOTBALL: { heightCm: [181, 167], bmi: [23.2, 21.6] },
  BASKETBALL: { heightCm: [196, 181], bmi: [24.4, 22.8] },
  VOLLEYBALL: { heightCm: [194, 180], bmi: [23.2, 21.8] },
  RUGBY: { heightCm: [185, 170], bmi: [29, 26] },
  COMBAT: { heightCm: [177, 165], bmi: [24.6, 22.9] },
  TENNIS: { heightCm: [184, 172], bmi: [23, 21.4] },
  ATHLETICS: { heightCm: [180, 168], bmi: [22.2, 20.4] },
  SWIMMING: { heightCm: [187, 174], bmi: [23, 21.5] },
  CYCLING: { heightCm: [180, 168], bmi: [21.4, 20.6] },
  HANDBALL: { heightCm: [189, 174], bmi: [25.2, 23.2] },
};

/** Difference of a position from the mean height of its sport, in cm. */
const byPosition: Readonly<Record<string, number>> = {
  'FOOTBALL/GK': 7,
  'FOOTBALL/CB': 5,
  'FOOTBALL/ST': 2,
  'BASKETBALL/PG': -9,
  'BASKETBALL/SG': -4,
  'BASKETBALL/PF': 6,
  'BASKETBALL/C': 12,
  'VOLLEYBALL/L': -12,
  'VOLLEYBALL/MB': 6,
  'VOLLEYBALL/S': -4,
  'RUGBY/LK': 13,
  'RUGBY/SH': -9,
  'HANDBALL/PV': 5,
  'HANDBALL/LW': -6,
  'HANDBALL/RW': -6,
};

/** Upper limits in kg of common weight classes. The heaviest class has none. */
const weightClasses: Readonly<Record<DemoSex, readonly number[]>> = {
  MALE: [57, 63, 70, 77, 85, 95],
  FEMALE: [48, 53, 58, 64, 71, 79],
};

export interface Body {
  readonly heightCm: number;
  /** With one decimal. */
  readonly weightKg: number;
  readonly weightClass: string | null;
}

export function generateBody(random: Random, { sport, sex, age, positions }: DemoAthlete): Body {
  const sexIndex = sex === 'MALE' ? 0 : 1;
  const build = builds[sport];
  if (!build) throw new Error(`${sport} has no demo data`);
  const { heightCm: heights, bmi } = build;
  const growing = Math.max(0, 18 - age) * 1.5;
  const offset = byPosition[`${sport}/${positions[0] ?? ''}`] ?? 0;
  const heightCm = Math.round(random.normal(heights[sexIndex] + offset - growing, sexIndex === 0 ? 6.2 : 5.8, 145, 225));
  const weightKg = Math.round((heightCm / 100) ** 2 * random.normal(bmi[sexIndex], 1.5, 17, 38) * 10) / 10;
  if (sport !== 'COMBAT') return { heightCm, weightKg, weightClass: null };
  const limits = weightClasses[sex];
  const limit = limits.find((each) => weightKg <= each);
  return { heightCm, weightKg, weightClass: limit === undefined ? `+${limits.at(-1) ?? 0}kg` : `-${limit}kg` };
}

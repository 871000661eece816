/** The composition of the demo data by sport: shares, sex, disciplines and positions. */
import { sportNames, type Sport } from '../../schema/sports.ts';

type Weighted = readonly (readonly [item: string, weight: number])[];

export interface DemoSport {
  /** Share of the athletes and organizations. 0: the sport has no demo data. */
  readonly weight: number;
  readonly maleShare: number;
  /** True for team sports with national leagues; false for individuals with series, meets and tournaments. */
  readonly leagues: boolean;
  readonly disciplines: Weighted;
  /** Positions by discipline; empty where a discipline has none. */
  readonly positions: Readonly<Record<string, Weighted>>;
}

const rugbyUnion: Weighted = [
  ['LHP', 8],
  ['THP', 8],
  ['HK', 8],
  ['LK', 13],
  ['BSF', 8],
  ['OSF', 8],
  ['N8', 8],
  ['SH', 8],
  ['FH', 8],
  ['IC', 6],
  ['OC', 6],
  ['LW', 6],
  ['RW', 6],
  ['FB', 7],
];
const basketball: Weighted = [
  ['PG', 22],
  ['SG', 22],
  ['SF', 20],
  ['PF', 19],
  ['C', 17],
];

export const demoSports: Readonly<Record<Sport, DemoSport>> = {
  FOOTBALL: {
    weight: 34,
    maleShare: 0.72,
    leagues: true,
    disciplines: [
      ['ASSOCIATION', 92],
      ['FUTSAL', 6],
      ['BEACH', 2],
    ],
    positions: {
      ASSOCIATION: [
        ['GK', 10],
        ['CB', 17],
        ['RB', 8],
        ['LB', 8],
        ['DM', 9],
        ['CM', 14],
        ['AM', 8],
        ['RW', 7],
        ['LW', 7],
        ['ST', 9],
        ['CF', 3],
      ],
      FUTSAL: [
        ['GK', 18],
        ['FIXO', 24],
        ['ALA', 36],
        ['PIVO', 22],
      ],
      BEACH: [
        ['GK', 20],
        ['DF', 40],
        ['FW', 40],
      ],
    },
  },
  BASKETBALL: {
    weight: 13,
    maleShare: 0.6,
    leagues: true,
    disciplines: [
      ['5X5', 92],
      ['3X3', 8],
    ],
    positions: { '5X5': basketball, '3X3': basketball },
  },
  VOLLEYBALL: {
    weight: 9,
    maleShare: 0.42,
    leagues: true,
    disciplines: [
      ['INDOOR', 88],
      ['BEACH', 12],
    ],
    positions: {
      INDOOR: [
        ['S', 15],
        ['OH', 31],
        ['OP', 16],
        ['MB', 25],
        ['L', 13],
      ],
      BEACH: [
        ['BV_BLOCKER', 1],
        ['BV_DEFENDER', 1],
      ],
    },
  },
  RUGBY: {
    weight: 7,
    maleShare: 0.74,
    leagues: true,
    disciplines: [
      ['UNION_15S', 72],
      ['SEVENS', 20],
      ['LEAGUE', 8],
    ],
    positions: {
      UNION_15S: rugbyUnion,
      SEVENS: [
        ['PR', 25],
        ['HK', 15],
        ['SH', 15],
        ['FH', 15],
        ['CE', 15],
        ['WG', 15],
      ],
      LEAGUE: [
        ['PR', 18],
        ['HK', 10],
        ['SR', 16],
        ['LF', 10],
        ['SH', 8],
        ['SO', 8],
        ['CE', 14],
        ['WG', 10],
        ['FB', 6],
      ],
    },
  },
  COMBAT: {
    weight: 7,
    maleShare: 0.65,
    leagues: false,
    disciplines: [
      ['BOXING', 22],
      ['JUDO', 24],
      ['TAEKWONDO', 16],
      ['WRESTLING', 14],
      ['MMA', 12],
      ['KARATE', 12],
    ],
    positions: {},
  },
  TENNIS: {
    weight: 5,
    maleShare: 0.53,
    leagues: false,
    disciplines: [
      ['SINGLES', 88],
      ['DOUBLES', 12],
    ],
    positions: {},
  },
  ATHLETICS: {
    weight: 9,
    maleShare: 0.52,
    leagues: false,
    disciplines: [
      ['TRACK', 55],
      ['FIELD', 27],
      ['ROAD', 13],
      ['COMBINED', 5],
    ],
    positions: {},
  },
  SWIMMING: {
    weight: 6,
    maleShare: 0.5,
    leagues: false,
    disciplines: [
      ['POOL', 93],
      ['OPEN_WATER', 7],
    ],
    positions: {},
  },
  CYCLING: {
    weight: 4,
    maleShare: 0.68,
    leagues: false,
    disciplines: [
      ['ROAD', 62],
      ['TRACK', 14],
      ['MTB', 16],
      ['BMX', 8],
    ],
    positions: {
      ROAD: [
        ['GC', 10],
        ['CLIMBER', 20],
        ['SPRINTER', 20],
        ['PUNCHEUR', 14],
        ['ROULEUR', 14],
        ['DOMESTIQUE', 14],
        ['TIME_TRIALIST', 8],
      ],
    },
  },
  HANDBALL: {
    weight: 6,
    maleShare: 0.52,
    leagues: true,
    disciplines: [
      ['INDOOR', 94],
      ['BEACH', 6],
    ],
    positions: {
      INDOOR: [
        ['GK', 15],
        ['LW', 14],
        ['RW', 14],
        ['LB', 15],
        ['CB', 14],
        ['RB', 14],
        ['PV', 14],
      ],
      BEACH: [
        ['GK', 22],
        ['WG', 40],
        ['PV', 38],
      ],
    },
  },
};

/** The sports with demo data. */
export const demoSportNames = sportNames.filter((sport) => demoSports[sport].weight > 0);

/** The events of the sports that have events, by code: title, unit of the mark, and which mark is better. */
export interface EventRow {
  readonly title: string;
  /** Canonical unit of the mark; null where bouts or places decide. */
  readonly mark: 'ms' | 'mm' | 'points' | null;
  readonly direction: 'LOWER_IS_BETTER' | 'HIGHER_IS_BETTER' | 'NEUTRAL';
  /** Number of members of the relay or team; absent for an individual event. */
  readonly members?: number;
}

/** Discipline code → event code → event. */
export type EventCodes = Readonly<Record<string, Readonly<Record<string, EventRow>>>>;

const timed = (title: string, members?: number): EventRow => ({
  title,
  mark: 'ms',
  direction: 'LOWER_IS_BETTER',
  ...(members !== undefined && { members }),
});
const measured = (title: string): EventRow => ({ title, mark: 'mm', direction: 'HIGHER_IS_BETTER' });
const scored = (title: string, members?: number): EventRow => ({
  title,
  mark: 'points',
  direction: 'HIGHER_IS_BETTER',
  ...(members !== undefined && { members }),
});
const contested = (title: string): EventRow => ({ title, mark: null, direction: 'NEUTRAL' });

/** World Athletics, Book of Rules C1.1: official events, events with world records, and distances of short tracks and youth meets. */
export const athleticsEvents = {
  TRACK: {
    '50M': timed('50 metres'),
    '55M': timed('55 metres'),
    '60M': timed('60 metres'),
    '100M': timed('100 metres'),
    '200M': timed('200 metres'),
    '300M': timed('300 metres'),
    '400M': timed('400 metres'),
    '500M': timed('500 metres'),
    '600M': timed('600 metres'),
    '800M': timed('800 metres'),
    '1000M': timed('1000 metres'),
    '1500M': timed('1500 metres'),
    MILE: timed('One mile'),
    '2000M': timed('2000 metres'),
    '3000M': timed('3000 metres'),
    '2_MILES': timed('Two miles'),
    '5000M': timed('5000 metres'),
    '10000M': timed('10,000 metres'),
    '50M_HURDLES': timed('50 metres hurdles'),
    '60M_HURDLES': timed('60 metres hurdles'),
    '100M_HURDLES': timed('100 metres hurdles'),
    '110M_HURDLES': timed('110 metres hurdles'),
    '300M_HURDLES': timed('300 metres hurdles'),
    '400M_HURDLES': timed('400 metres hurdles'),
    '2000M_STEEPLECHASE': timed('2000 metres steeplechase'),
    '3000M_STEEPLECHASE': timed('3000 metres steeplechase'),
    '4X100M': timed('4 x 100 metres relay', 4),
    '4X200M': timed('4 x 200 metres relay', 4),
    '4X400M': timed('4 x 400 metres relay', 4),
    '4X800M': timed('4 x 800 metres relay', 4),
    '4X1500M': timed('4 x 1500 metres relay', 4),
    DISTANCE_MEDLEY: timed('Distance medley relay', 4),
    '3000M_WALK': timed('3000 metres race walk'),
    '5000M_WALK': timed('5000 metres race walk'),
    '10000M_WALK': timed('10,000 metres race walk'),
  },
  FIELD: {
    HIGH_JUMP: measured('High jump'),
    POLE_VAULT: measured('Pole vault'),
    LONG_JUMP: measured('Long jump'),
    TRIPLE_JUMP: measured('Triple jump'),
    SHOT_PUT: measured('Shot put'),
    DISCUS_THROW: measured('Discus throw'),
    HAMMER_THROW: measured('Hammer throw'),
    JAVELIN_THROW: measured('Javelin throw'),
    WEIGHT_THROW: measured('Weight throw'),
    CLUB_THROW: measured('Club throw'),
  },
  ROAD: {
    '5K_ROAD': timed('5 kilometres road'),
    MILE_ROAD: timed('One mile road'),
    '10K_ROAD': timed('10 kilometres road'),
    '15K_ROAD': timed('15 kilometres road'),
    '10_MILES_ROAD': timed('10 miles road'),
    '20K_ROAD': timed('20 kilometres road'),
    '50K_ROAD': timed('50 kilometres road'),
    '100K_ROAD': timed('100 kilometres road'),
    HALF_MARATHON: timed('Half marathon'),
    MARATHON: timed('Marathon'),
    '10K_WALK': timed('10 kilometres race walk'),
    '20K_WALK': timed('20 kilometres race walk'),
    '35K_WALK': timed('35 kilometres race walk'),
    '50K_WALK': timed('50 kilometres race walk'),
    HALF_MARATHON_WALK: timed('Half marathon race walk'),
    MARATHON_WALK: timed('Marathon race walk'),
  },
  COMBINED: {
    DECATHLON: scored('Decathlon'),
    HEPTATHLON: scored('Heptathlon'),
    HEPTATHLON_SHORT_TRACK: scored('Heptathlon, short track'),
    PENTATHLON: scored('Pentathlon'),
    PENTATHLON_SHORT_TRACK: scored('Pentathlon, short track'),
  },
} satisfies EventCodes;

/** World Aquatics, Competition Regulations, parts 2 and 3; long and short course share a code; the contest names the course. */
export const swimmingEvents = {
  POOL: {
    '50_FREE': timed('50 metres freestyle'),
    '100_FREE': timed('100 metres freestyle'),
    '200_FREE': timed('200 metres freestyle'),
    '400_FREE': timed('400 metres freestyle'),
    '800_FREE': timed('800 metres freestyle'),
    '1500_FREE': timed('1500 metres freestyle'),
    '25_FREE': timed('25 metres freestyle'),
    '50_BACK': timed('50 metres backstroke'),
    '100_BACK': timed('100 metres backstroke'),
    '200_BACK': timed('200 metres backstroke'),
    '50_BREAST': timed('50 metres breaststroke'),
    '100_BREAST': timed('100 metres breaststroke'),
    '200_BREAST': timed('200 metres breaststroke'),
    '50_FLY': timed('50 metres butterfly'),
    '100_FLY': timed('100 metres butterfly'),
    '200_FLY': timed('200 metres butterfly'),
    '75_MEDLEY': timed('75 metres individual medley'),
    '100_MEDLEY': timed('100 metres individual medley'),
    '150_MEDLEY': timed('150 metres individual medley'),
    '200_MEDLEY': timed('200 metres individual medley'),
    '400_MEDLEY': timed('400 metres individual medley'),
    '4X50_FREE': timed('4 x 50 metres freestyle relay', 4),
    '4X25_FREE': timed('4 x 25 metres freestyle relay', 4),
    '4X100_FREE': timed('4 x 100 metres freestyle relay', 4),
    '4X200_FREE': timed('4 x 200 metres freestyle relay', 4),
    '4X50_MEDLEY': timed('4 x 50 metres medley relay', 4),
    '4X100_MEDLEY': timed('4 x 100 metres medley relay', 4),
  },
  OPEN_WATER: {
    '3K_KNOCKOUT': timed('3 kilometres knockout sprints'),
    '5K_OPEN_WATER': timed('5 kilometres open water'),
    '10K_OPEN_WATER': timed('10 kilometres open water'),
    '25K_OPEN_WATER': timed('25 kilometres open water'),
    '4X1500_OPEN_WATER': timed('4 x 1500 metres open water relay', 4),
  },
} satisfies EventCodes;

/** UCI Cycling Regulations, parts 2 (road), 3 (track), 4 (mountain bike), 6 and 6bis (BMX). */
export const cyclingEvents = {
  ROAD: {
    ROAD_RACE: timed('Road race'),
    STAGE_RACE: timed('Stage race'),
    INDIVIDUAL_TIME_TRIAL: timed('Individual time trial'),
    TEAM_TIME_TRIAL: timed('Team time trial', 6),
    CRITERIUM: contested('Criterium'),
  },
  TRACK: {
    SPRINT: contested('Sprint'),
    TEAM_SPRINT: timed('Team sprint', 3),
    KEIRIN: contested('Keirin'),
    KILOMETRE_TIME_TRIAL: timed('Kilometre time trial'),
    INDIVIDUAL_PURSUIT: timed('Individual pursuit'),
    TEAM_PURSUIT: timed('Team pursuit', 4),
    SCRATCH: contested('Scratch race'),
    POINTS_RACE: scored('Points race'),
    ELIMINATION: contested('Elimination race'),
    OMNIUM: scored('Omnium'),
    MADISON: scored('Madison', 2),
  },
  MTB: {
    XCO: timed('Cross-country Olympic'),
    XCC: timed('Cross-country short track'),
    XCM: timed('Cross-country marathon'),
    DOWNHILL: timed('Downhill'),
    ENDURO: timed('Enduro'),
  },
  BMX: {
    BMX_RACING: contested('BMX racing'),
    BMX_FREESTYLE_PARK: scored('BMX freestyle park'),
    BMX_FREESTYLE_FLATLAND: scored('BMX freestyle flatland'),
  },
} satisfies EventCodes;

/** Styles within a discipline; the weight class is a field of the contest, not an event. */
export const combatEvents = {
  WRESTLING: { FREESTYLE: contested('Freestyle'), GRECO_ROMAN: contested('Greco-Roman') },
  TAEKWONDO: { KYORUGI: contested('Kyorugi'), POOMSAE: contested('Poomsae') },
  KARATE: { KUMITE: contested('Kumite'), KATA: contested('Kata') },
} satisfies EventCodes;

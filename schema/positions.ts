/** The positions of each sport: group code → title and exact positions; a group code is valid when the exact position is unknown. */
export interface PositionGroup {
  readonly title: string;
  /** The players of the group, where it is not the title with an s. */
  readonly plural?: string;
  /** Exact position code → title; empty for a group that is one exact position, such as goalkeeper. */
  readonly positions: Readonly<Record<string, string>>;
}

export type PositionGroups = Readonly<Record<string, PositionGroup>>;

export const footballPositions = {
  GK: { title: 'Goalkeeper', positions: {} },
  DF: {
    title: 'Defender',
    positions: {
      RB: 'Right back',
      CB: 'Centre back',
      LB: 'Left back',
      RWB: 'Right wing back',
      LWB: 'Left wing back',
      SW: 'Sweeper',
      FIXO: 'Fixo (futsal)',
    },
  },
  MF: {
    title: 'Midfielder',
    positions: {
      DM: 'Defensive midfielder',
      CM: 'Central midfielder',
      AM: 'Attacking midfielder',
      RM: 'Right midfielder',
      LM: 'Left midfielder',
      ALA: 'Ala (futsal)',
    },
  },
  FW: {
    title: 'Forward',
    positions: {
      RW: 'Right winger',
      LW: 'Left winger',
      SS: 'Second striker',
      CF: 'Centre forward',
      ST: 'Striker',
      PIVO: 'Pivô (futsal)',
    },
  },
} as const satisfies PositionGroups;

export const basketballPositions = {
  G: { title: 'Guard', positions: { PG: 'Point guard', SG: 'Shooting guard' } },
  F: { title: 'Forward', positions: { SF: 'Small forward', PF: 'Power forward' } },
  C: { title: 'Centre', positions: {} },
} as const satisfies PositionGroups;

export const volleyballPositions = {
  S: { title: 'Setter', positions: {} },
  OH: { title: 'Outside hitter', positions: {} },
  OP: { title: 'Opposite', positions: {} },
  MB: { title: 'Middle blocker', positions: {} },
  L: { title: 'Libero', positions: { DS: 'Defensive specialist' } },
  BV: { title: 'Beach player', positions: { BV_BLOCKER: 'Beach blocker', BV_DEFENDER: 'Beach defender' } },
} as const satisfies PositionGroups;

/** The two groups that rugby union, sevens and league share. */
export const rugbyPositions = {
  FW: {
    title: 'Forward',
    positions: {
      PR: 'Prop',
      LHP: 'Loosehead prop',
      THP: 'Tighthead prop',
      HK: 'Hooker',
      LK: 'Lock',
      FL: 'Flanker',
      BSF: 'Blindside flanker',
      OSF: 'Openside flanker',
      N8: 'Number eight',
      SR: 'Second row (league)',
      LF: 'Loose forward (league)',
    },
  },
  BK: {
    title: 'Back',
    positions: {
      SH: 'Scrum-half',
      FH: 'Fly-half',
      CE: 'Centre',
      IC: 'Inside centre',
      OC: 'Outside centre',
      WG: 'Wing',
      LW: 'Left wing',
      RW: 'Right wing',
      FB: 'Full-back',
      SO: 'Stand-off (league)',
    },
  },
} as const satisfies PositionGroups;

export const handballPositions = {
  GK: { title: 'Goalkeeper', positions: {} },
  WG: { title: 'Wing', positions: { LW: 'Left wing', RW: 'Right wing' } },
  BC: { title: 'Back court', plural: 'Back-court players', positions: { LB: 'Left back', CB: 'Centre back', RB: 'Right back' } },
  PV: { title: 'Pivot', positions: {} },
} as const satisfies PositionGroups;

/** A rider's specialty is the position: it selects the cohort for comparisons. */
export const cyclingPositions = {
  GC: { title: 'General classification rider', positions: {} },
  CLIMBER: { title: 'Climber', positions: {} },
  SPRINTER: { title: 'Sprinter', positions: {} },
  PUNCHEUR: { title: 'Puncheur', positions: {} },
  ROULEUR: { title: 'Rouleur', positions: { DOMESTIQUE: 'Domestique' } },
  TIME_TRIALIST: { title: 'Time trialist', positions: {} },
} as const satisfies PositionGroups;

/** What a scout rates in each sport: the aspects of the template of its scouting reports, and the scale of the ratings. */
import { keysOf } from './records.ts';
import type { Sport } from './sports.ts';

export type AspectGroup = 'TECHNICAL' | 'TACTICAL' | 'PHYSICAL' | 'MENTAL';

export interface ReportAspect {
  readonly code: string;
  readonly title: string;
  readonly group: AspectGroup;
}

type Titles = Readonly<Record<string, string>>;

const mental = {
  COMPOSURE: 'Composure under pressure',
  CONCENTRATION: 'Concentration',
  WORK_RATE: 'Work rate',
  COMPETITIVENESS: 'Competitiveness',
  COACHABILITY: 'Coachability',
  LEADERSHIP: 'Leadership',
} as const;

const physical = {
  SPEED: 'Speed',
  ACCELERATION: 'Acceleration',
  STRENGTH: 'Strength',
  ENDURANCE: 'Endurance',
  AGILITY: 'Agility',
} as const;

const rows: Readonly<Record<Sport, { readonly TECHNICAL: Titles; readonly TACTICAL: Titles; readonly PHYSICAL?: Titles }>> = {
  FOOTBALL: {
    TECHNICAL: {
      FIRST_TOUCH: 'First touch',
      PASSING: 'Passing',
      DRIBBLING: 'Dribbling',
      CROSSING: 'Crossing',
      FINISHING: 'Finishing',
      HEADING: 'Heading',
      TACKLING: 'Tackling',
      GOALKEEPING: 'Goalkeeping',
    },
    TACTICAL: {
      POSITIONING: 'Positioning',
      DECISION_MAKING: 'Decision-making',
      OFF_THE_BALL: 'Movement off the ball',
      PRESSING: 'Pressing',
      TRANSITIONS: 'Transitions',
    },
  },
  BASKETBALL: {
    TECHNICAL: {
      SHOOTING: 'Shooting',
      BALL_HANDLING: 'Ball handling',
      PASSING: 'Passing',
      FINISHING: 'Finishing at the rim',
      POST_PLAY: 'Post play',
      REBOUNDING: 'Rebounding',
    },
    TACTICAL: {
      DECISION_MAKING: 'Decision-making',
      PICK_AND_ROLL: 'Pick and roll',
      ON_BALL_DEFENSE: 'Defense on the ball',
      HELP_DEFENSE: 'Help defense',
    },
    PHYSICAL: { ...physical, JUMPING: 'Jumping' },
  },
  VOLLEYBALL: {
    TECHNICAL: {
      SERVING: 'Serving',
      RECEPTION: 'Reception',
      SETTING: 'Setting',
      ATTACK: 'Attack',
      BLOCK: 'Block',
      DEFENSE: 'Defense',
    },
    TACTICAL: { READING_OF_PLAY: 'Reading of play', POSITIONING: 'Positioning', DECISION_MAKING: 'Decision-making' },
    PHYSICAL: { ...physical, JUMPING: 'Jumping' },
  },
  RUGBY: {
    TECHNICAL: {
      HANDLING: 'Handling',
      PASSING: 'Passing',
      TACKLING: 'Tackling',
      KICKING: 'Kicking',
      RUCKING: 'Rucking',
      SET_PIECE: 'Set piece',
    },
    TACTICAL: { POSITIONING: 'Positioning', DECISION_MAKING: 'Decision-making', DEFENSIVE_LINE: 'Work in the defensive line' },
  },
  COMBAT: {
    TECHNICAL: {
      STRIKING: 'Striking',
      GRAPPLING: 'Grappling',
      THROWS: 'Throws and takedowns',
      DEFENSE: 'Defense',
      FOOTWORK: 'Footwork',
    },
    TACTICAL: { DISTANCE: 'Control of distance', FIGHT_PLAN: 'Fight plan', ADAPTATION: 'Adaptation' },
  },
  TENNIS: {
    TECHNICAL: {
      SERVE: 'Serve',
      RETURN: 'Return',
      FOREHAND: 'Forehand',
      BACKHAND: 'Backhand',
      VOLLEY: 'Volley',
      FOOTWORK: 'Footwork',
    },
    TACTICAL: { SHOT_SELECTION: 'Shot selection', POINT_CONSTRUCTION: 'Point construction', ADAPTATION: 'Adaptation' },
  },
  ATHLETICS: {
    TECHNICAL: { START: 'Start', RUNNING_FORM: 'Running form', TAKE_OFF: 'Take-off', RELEASE: 'Release', HURDLING: 'Hurdling' },
    TACTICAL: { PACING: 'Pacing', RACE_PLAN: 'Race plan', CONSISTENCY: 'Consistency' },
    PHYSICAL: { ...physical, EXPLOSIVENESS: 'Explosiveness' },
  },
  SWIMMING: {
    TECHNICAL: { START: 'Start', TURNS: 'Turns', STROKE: 'Stroke', UNDERWATER: 'Underwater phase', FINISH: 'Finish' },
    TACTICAL: { PACING: 'Pacing', RACE_PLAN: 'Race plan', CONSISTENCY: 'Consistency' },
  },
  CYCLING: {
    TECHNICAL: { BIKE_HANDLING: 'Bike handling', DESCENDING: 'Descending', TIME_TRIAL_POSITION: 'Time-trial position' },
    TACTICAL: { POSITIONING: 'Positioning in the group', RACE_READING: 'Reading of the race', TEAM_WORK: 'Team work' },
    PHYSICAL: { SPRINT: 'Sprint', CLIMBING: 'Climbing', THRESHOLD: 'Threshold power', RECOVERY: 'Recovery' },
  },
  HANDBALL: {
    TECHNICAL: { SHOOTING: 'Shooting', PASSING: 'Passing', FEINTS: 'Feints', BLOCKING: 'Blocking', GOALKEEPING: 'Goalkeeping' },
    TACTICAL: { POSITIONING: 'Positioning', DECISION_MAKING: 'Decision-making', TRANSITIONS: 'Transitions' },
  },
};

const aspectsIn = (group: AspectGroup, titles: Titles): ReportAspect[] =>
  Object.entries(titles).map(([code, title]) => ({ code, title, group }));

/** The aspects of a sport in the order of the template. */
export function reportAspectsOf(sport: Sport): readonly ReportAspect[] {
  const { TECHNICAL, TACTICAL, PHYSICAL = physical } = rows[sport];
  const groups = { TECHNICAL, TACTICAL, PHYSICAL, MENTAL: mental } satisfies Record<AspectGroup, Titles>;
  return keysOf(groups).flatMap((group) => aspectsIn(group, groups[group]));
}

/** What the ratings from 1 to 10 mean, compared with the level that the athlete is scouted for. */
export const ratingScale: readonly { readonly from: number; readonly to: number; readonly meaning: string }[] = [
  { from: 9, to: 10, meaning: 'Outstanding: among the best of the level' },
  { from: 7, to: 8.5, meaning: 'Above the average of the level' },
  { from: 5, to: 6.5, meaning: 'At the average of the level' },
  { from: 3, to: 4.5, meaning: 'Below the average of the level' },
  { from: 1, to: 2.5, meaning: 'Far from the level' },
];

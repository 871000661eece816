/** Parses the event titles of a swimming results file: `Women's 200m Individual Medley Heats` is a contest and its stage. */
const categories: Readonly<Record<string, string>> = { "Men's": 'MEN', "Women's": 'WOMEN', Mixed: 'MIXED' };

const strokes: Readonly<Record<string, string>> = {
  Freestyle: 'FREE',
  Backstroke: 'BACK',
  Breaststroke: 'BREAST',
  Butterfly: 'FLY',
  'Individual Medley': 'MEDLEY',
  Medley: 'MEDLEY',
  'Medley Relay': 'MEDLEY',
};

export interface SwimEvent {
  /** `Women's 200m Individual Medley`. */
  readonly contest: string;
  readonly category: string;
  /** Code of the event, `200_MEDLEY`. */
  readonly eventCode: string;
  readonly distanceMeters: number;
  /** Number of swimmers of a relay; 1 for an individual event. */
  readonly legs: number;
  /** HEATS, SEMIFINAL, FINAL; SWIM_OFF when the title has no stage. */
  readonly stage: 'HEATS' | 'SEMIFINAL' | 'FINAL' | 'SWIM_OFF';
}

const stages = { Heats: 'HEATS', Semifinals: 'SEMIFINAL', Final: 'FINAL' } as const;

/** Null for a title that is not an event. */
export function readSwimEvent(title: string): SwimEvent | null {
  const match = /^(\S+) (?:(\d)x)?(\d+)m (.+?)(?: (Heats|Semifinals|Final))?$/.exec(title);
  const [, who = '', legs = '', length = '', style = '', stage] = match ?? [];
  const category = categories[who];
  const stroke = strokes[style];
  if (category === undefined || stroke === undefined) return null;
  return {
    contest: title.slice(0, stage === undefined ? undefined : -stage.length - 1),
    category,
    eventCode: `${legs === '' ? '' : `${legs}X`}${length}_${stroke}`,
    distanceMeters: Number(length) * Number(legs || 1),
    legs: Number(legs || 1),
    stage: stage === undefined ? 'SWIM_OFF' : stages[stage as keyof typeof stages],
  };
}

/** `2:09.41` in milliseconds; null for any other text. */
export function timeMsOf(text: string): number | null {
  const [, minutes = '0', seconds = '', hundredths = ''] = /^(?:(\d+):)?(\d{1,2})\.(\d{2})$/.exec(text) ?? [];
  return seconds === '' ? null : Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(hundredths) * 10;
}

const sum = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0);

/**
 * Split times in milliseconds. The file gives the time of each part, but in relays the time since the start of the leg. Null when
 * neither reading adds up to the time: some rows lack a split.
 */
export function splitsOf(text: string, timeMs: number, legs: number): number[] | null {
  const given = text === '' ? [] : text.split('|').map(timeMsOf);
  const times = given.filter((time) => time !== null);
  if (times.length === 0 || times.length < given.length) return null;
  if (sum(times) === timeMs) return times;
  const perLeg = times.length / legs;
  const parts = times.map((time, index) => time - (index % perLeg === 0 ? 0 : (times[index - 1] ?? 0)));
  return sum(parts) === timeMs && parts.every((part) => part > 0) ? parts : null;
}

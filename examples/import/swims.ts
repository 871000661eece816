/** Reads a swimming results file as stages and heats: the swimmer, lane and outcome of every swim. */
import { countryOfIocCode } from './countries.ts';
import { keyOf } from './key.ts';
import type { Rejection } from './row.ts';
import { readSwimEvent, splitsOf, timeMsOf, type SwimEvent } from './swim-event.ts';
import { readTable, type TableRecord } from './table.ts';

const columns = ['event', 'place', 'heat', 'lane', 'name', 'ioc', 'age', 'reaction_time', 'time', 'dq', 'splits'] as const;
type SwimRecord = TableRecord<(typeof columns)[number]>;

export interface Swimmer {
  /** `usa/walsh-alex`; for a relay the nation, `usa`. */
  readonly key: string;
  /** Name in the file; for a relay the nation's name. */
  readonly name: string;
  /** Code of the nation: `USA`. */
  readonly nation: string;
  readonly country: string | null;
  readonly age: number | null;
}

export interface Swim {
  readonly place: string;
  readonly swimmer: Swimmer;
  readonly lane: number;
  /** Published rank over all heats; null for a swim without a valid result. */
  readonly rank: number | null;
  readonly timeMs: number | null;
  /** Why there is no time. The file marks both the same way; a swim without splits and reaction time counts as DNS. */
  readonly invalidResultMark: 'DSQ' | 'DNS' | null;
  readonly splitsMs: readonly number[] | null;
  readonly reactionTimeMs: number | null;
}

/** One stage of an event with its heats by number. A final or swim-off has one heat. */
export interface SwimStage {
  readonly event: SwimEvent;
  /** Zero-based position in the file. */
  readonly order: number;
  readonly heats: ReadonlyMap<number, readonly Swim[]>;
}

export interface SwimResults {
  readonly stages: readonly SwimStage[];
  readonly rejected: readonly Rejection[];
}

/** Swimmers whose names differ between sessions in the file. */
const otherNames: Readonly<Record<string, string>> = {
  'COSTA G': 'PEREIRA da COSTA Guilherme',
  'SANTOS N': 'ARAUJO DIAS dos SANTOS Nicholas',
  'JUNGBLUT V': 'EICHELBERGER JUNGBLUT Viviane',
  'FRANCA SILVA F': 'ALVES FRANCA da SILVA Felipe',
  'CONCEICAO J': 'ALVES da CONCEICAO Jhennifer',
};

function swimmerOf({ name, ioc, age }: SwimRecord['values'], legs: number): Swimmer | null {
  const [, nation = '', rest = ''] = /^([A-Z]{3})(?: - (.+))?$/.exec(ioc) ?? [];
  const label = legs > 1 ? rest : (otherNames[name] ?? name);
  if (nation === '' || label === '') return null;
  return {
    key: legs > 1 ? keyOf(nation) : `${keyOf(nation)}/${keyOf(label)}`,
    name: label,
    nation,
    country: countryOfIocCode(nation),
    age: /^\d{1,2}$/.test(age) ? Number(age) : null,
  };
}

interface Line {
  readonly event: SwimEvent;
  readonly heat: number;
  readonly swim: Swim;
}

/** The heat of a row. Individual swimmers without a time lack the place column, so their heat is in its column. */
function heatOf(values: SwimRecord['values'], event: SwimEvent | null): string {
  if (values.heat !== '') return values.heat;
  if (values.dq === '1') return values.place;
  return event?.stage === 'HEATS' || event?.stage === 'SEMIFINAL' ? '' : '1';
}

/** What is missing in a row, apart from its event and swimmer. */
const missingIn = (values: SwimRecord['values'], heat: string): string[] => [
  ...(values.dq === '1' || timeMsOf(values.time) !== null ? [] : ['has no time']),
  ...(/^\d$/.test(values.lane) ? [] : ['has no lane']),
  ...(/^\d+$/.test(heat) ? [] : ['has no heat']),
];

/** The outcome of a swim that was completed or is marked as invalid. */
function outcomeOf(values: SwimRecord['values'], legs: number): Pick<Swim, 'rank' | 'timeMs' | 'invalidResultMark' | 'splitsMs'> {
  if (values.dq === '1') {
    const hasStarted = values.splits !== '' || values.reaction_time !== '';
    return { rank: null, timeMs: null, invalidResultMark: hasStarted ? 'DSQ' : 'DNS', splitsMs: null };
  }
  const timeMs = timeMsOf(values.time);
  return {
    rank: /^\d+$/.test(values.place) ? Number(values.place) : null,
    timeMs,
    invalidResultMark: null,
    splitsMs: timeMs === null ? null : splitsOf(values.splits, timeMs, legs),
  };
}

const reactionTimeMsOf = (text: string): number | null =>
  /^(-?)(\d)\.(\d{2})$/.test(text) ? Math.round(Number(text) * 1000) : null;

function lineOf({ place, values }: SwimRecord): Line | Rejection {
  const event = readSwimEvent(values.event);
  const swimmer = event && swimmerOf(values, event.legs);
  const heat = heatOf(values, event);
  const missing = missingIn(values, heat);
  if (!event) return { place, label: values.name, reasons: [`has an unknown event: ${values.event}`, ...missing] };
  if (!swimmer) return { place, label: values.name, reasons: ['has no swimmer', ...missing] };
  if (missing.length > 0) return { place, label: swimmer.name, reasons: missing };
  return {
    event,
    heat: Number(heat),
    swim: {
      place,
      swimmer,
      lane: Number(values.lane),
      ...outcomeOf(values, event.legs),
      reactionTimeMs: reactionTimeMsOf(values.reaction_time),
    },
  };
}

interface OpenStage extends SwimStage {
  readonly title: string;
  readonly heats: Map<number, Swim[]>;
  /** Position of each swimmer's first row, by key. */
  readonly known: Map<string, string>;
}

/**
 * Reads the text of worlds2022.csv. Consecutive rows with one title are a stage, so an event may have two swim-offs. The second
 * row of a swimmer in a stage is rejected.
 * @throws {Error} when a column is missing.
 */
export function readSwims(text: string): SwimResults {
  const table = readTable(text, columns);
  const rejected: Rejection[] = [...table.rejected];
  const stages: OpenStage[] = [];
  for (const record of table.records) {
    const line = lineOf(record);
    if ('reasons' in line) {
      rejected.push(line);
      continue;
    }
    const { event, heat, swim } = line;
    const title = record.values.event;
    const last = stages.at(-1);
    const stage: OpenStage =
      last?.title === title ? last : { event, title, order: stages.length, heats: new Map(), known: new Map() };
    if (stage !== last) stages.push(stage);
    const before = stage.known.get(swim.swimmer.key);
    if (before !== undefined) {
      rejected.push({
        place: swim.place,
        label: swim.swimmer.name,
        reasons: [`this swimmer already has a row in this stage: ${before} (${title})`],
      });
      continue;
    }
    stage.known.set(swim.swimmer.key, swim.place);
    stage.heats.set(heat, [...(stage.heats.get(heat) ?? []), swim]);
  }
  return { stages, rejected };
}

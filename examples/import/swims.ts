/** The rows of a swimming results file as races: who swam in which lane of which heat, and what came of it. */
import { countryOfIocCode } from './countries.ts';
import { keyOf } from './key.ts';
import type { Rejection } from './row.ts';
import { readSwimEvent, splitsOf, timeMsOf, type SwimEvent } from './swim-event.ts';
import { readTable, type TableRecord } from './table.ts';

const columns = ['event', 'place', 'heat', 'lane', 'name', 'ioc', 'age', 'reaction_time', 'time', 'dq', 'splits'] as const;
type SwimRecord = TableRecord<(typeof columns)[number]>;

export interface Swimmer {
  /** `usa/walsh-alex`; of a relay the nation, `usa`. */
  readonly key: string;
  /** As the file writes it; of a relay the nation's name. */
  readonly name: string;
  /** Code of the nation, `USA`. */
  readonly nation: string;
  readonly country: string | null;
  readonly age: number | null;
}

export interface Swim {
  readonly place: string;
  readonly swimmer: Swimmer;
  readonly lane: number;
  /** Place over all heats, as published; null for a swim that does not count. */
  readonly rank: number | null;
  readonly timeMs: number | null;
  /** Why there is no time. The file marks both alike: who left no trace of a start did not start. */
  readonly invalidResultMark: 'DSQ' | 'DNS' | null;
  readonly splitsMs: readonly number[] | null;
  readonly reactionTimeMs: number | null;
}

/** One stage of an event: its heats by number; finals and swim-offs are one. */
export interface SwimStage {
  readonly event: SwimEvent;
  /** From 0, in the order of the file. */
  readonly order: number;
  readonly heats: ReadonlyMap<number, readonly Swim[]>;
}

export interface SwimResults {
  readonly stages: readonly SwimStage[];
  readonly rejected: readonly Rejection[];
}

/** Swimmers whom the file names differently from one session to the next. */
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

function lineOf({ place, values }: SwimRecord): Line | Rejection {
  const event = readSwimEvent(values.event);
  const swimmer = event && swimmerOf(values, event.legs);
  const isOut = values.dq === '1';
  const timeMs = timeMsOf(values.time);
  const hasStarted = values.splits !== '' || values.reaction_time !== '';
  // Single swimmers without a time have lost the column of the place: the number of the heat stands there.
  const heat = values.heat || (isOut ? values.place : event?.stage === 'HEATS' || event?.stage === 'SEMIFINAL' ? '' : '1');
  const reasons = [
    ...(event ? [] : [`names no event: ${values.event}`]),
    ...(event && !swimmer ? ['names no swimmer'] : []),
    ...(isOut || timeMs !== null ? [] : ['has no time']),
    ...(/^\d$/.test(values.lane) ? [] : ['has no lane']),
    ...(/^\d+$/.test(heat) ? [] : ['does not tell its heat']),
  ];
  if (!event || !swimmer || reasons.length > 0) return { place, label: swimmer?.name ?? values.name, reasons };
  const reaction = /^(-?)(\d)\.(\d{2})$/.exec(values.reaction_time);
  return {
    event,
    heat: Number(heat),
    swim: {
      place,
      swimmer,
      lane: Number(values.lane),
      rank: isOut || !/^\d+$/.test(values.place) ? null : Number(values.place),
      timeMs: isOut ? null : timeMs,
      invalidResultMark: isOut ? (hasStarted ? 'DSQ' : 'DNS') : null,
      splitsMs: isOut || timeMs === null ? null : splitsOf(values.splits, timeMs, event.legs),
      reactionTimeMs: reaction ? Math.round(Number(values.reaction_time) * 1000) : null,
    },
  };
}

interface OpenStage extends SwimStage {
  readonly title: string;
  readonly heats: Map<number, Swim[]>;
  /** Where each swimmer was named, by key. */
  readonly known: Map<string, string>;
}

/**
 * Reads the text of worlds2022.csv. Rows of one title that stand together are a stage, so two swim-offs of one event are two. Who is named
 * twice in a stage is rejected the second time.
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
        reasons: [`swims in this stage on ${before} already (${title})`],
      });
      continue;
    }
    stage.known.set(swim.swimmer.key, swim.place);
    stage.heats.set(heat, [...(stage.heats.get(heat) ?? []), swim]);
  }
  return { stages, rejected };
}

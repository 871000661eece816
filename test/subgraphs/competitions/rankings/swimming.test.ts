/** The world championships of 2022: the places of every heat, semi-final, final and swim-off follow from the times. */
import { describe, expect, test } from '@jest/globals';
import { advancement } from '../../../../subgraphs/competitions/rankings/advancement.ts';
import { rankByMark, type MarkEntry } from '../../../../subgraphs/competitions/rankings/by-mark.ts';
import { displayMark, readMark } from '../../../../subgraphs/competitions/rankings/mark.ts';
import { readDataRows } from '../../../open-data.ts';

type Row = Readonly<Record<'event' | 'place' | 'heat' | 'lane' | 'name' | 'ioc' | 'time' | 'dq', string>>;
type Swim = MarkEntry & { readonly row: Row };

const lower = { direction: 'LOWER_IS_BETTER' } as const;

/** Five swimmers whom the file names differently from one session to the next. */
const spellings: Readonly<Record<string, string>> = {
  'COSTA G': 'PEREIRA da COSTA Guilherme',
  'SANTOS N': 'ARAUJO DIAS dos SANTOS Nicholas',
  'JUNGBLUT V': 'EICHELBERGER JUNGBLUT Viviane',
  'FRANCA SILVA F': 'ALVES FRANCA da SILVA Felipe',
  'CONCEICAO J': 'ALVES da CONCEICAO Jhennifer',
};

/** Relays have no name but their country's. */
const idOf = ({ name, ioc }: Row): string => (name ? `${spellings[name] ?? name} ${ioc}` : ioc);

const swimOf = (row: Row): Swim => ({
  participantId: idOf(row),
  matchId: row.heat,
  ...(row.dq === '1' ? { mark: null, invalidResultMark: 'DSQ' } : { mark: readMark(row.time, 'ms').value }),
  row,
});

const told = ({ event, place, name, ioc, time }: Row): string => `${event}: ${place} ${name || ioc} ${time}`;

describe('the world championships of 2022', () => {
  const rows = readDataRows<Row>('swimming/worlds2022.csv');
  const events = Map.groupBy(rows, ({ event }) => event);
  const swimsOf = (event: string): Swim[] => (events.get(event) ?? []).map(swimOf);

  test('every time is written as the file writes it', () => {
    for (const { time } of rows) if (time) expect(displayMark(readMark(time, 'ms').value ?? 0, 'ms')).toBe(time);
  });

  test('every published place follows from the times, but for two rows that are repeated and two swim-offs under one name', () => {
    const repeated: string[] = [];
    const different: string[] = [];
    for (const event of events.keys()) {
      const seen = new Set<string>();
      const swims = swimsOf(event).filter(({ participantId, row }) => {
        if (!seen.has(participantId)) return seen.add(participantId);
        repeated.push(told(row));
        return false;
      });
      for (const { entry, rank } of rankByMark(swims, lower)) {
        const published = entry.row.dq === '1' ? null : Number(entry.row.place);
        if (rank !== published) different.push(`${told(entry.row)} is ${rank}`);
      }
    }
    expect(repeated).toEqual([
      "Men's 4x100m Freestyle Final: 8 SRB - Serbia 3:13.83",
      "Men's 100m Backstroke Final: 3 ARMSTRONG Hunter 51.98",
    ]);
    expect(different).toEqual([
      // the second row of Armstrong stands where the fourth place was: everybody after it is one further up
      "Men's 100m Backstroke Final: 5 CHRISTOU Apostolos 52.57 is 4",
      "Men's 100m Backstroke Final: 6 MASIUK Ksawery 52.75 is 5",
      "Men's 100m Backstroke Final: 7 IRIE Ryosuke 52.83 is 6",
      "Men's 100m Backstroke Final: 8 GLINTA Robert 53.63 is 7",
      // the swim-off of the heats, under the same name as the one of the semi-finals
      "Men's 50m Freestyle: 1 CARTER Dylan 21.91 is 3",
      "Men's 50m Freestyle: 2 JI Yuchan 22.03 is 4",
    ]);
  });

  test('the semi-finals and finals hold who goes on by mark after swim-offs, and reserves of who withdrew', () => {
    const exceptions: string[] = [];
    for (const event of events.keys()) {
      const [, contest, from] = /^(.*) (Heats|Semifinals)$/.exec(event) ?? [];
      if (contest === undefined) continue;
      const toSemis = from === 'Heats' && events.has(`${contest} Semifinals`);
      const next = new Set(swimsOf(`${contest} ${toSemis ? 'Semifinals' : 'Final'}`).map(({ participantId }) => participantId));
      const swimOffs = swimsOf(contest);
      const { advancing, undecided } = advancement(swimsOf(event), {
        ...lower,
        rules: [{ by: 'MARK', count: toSemis ? 16 : 8 }],
        decisions: [swimOffs.slice(0, 2), swimOffs.slice(2)],
      });
      const chosen = new Set(advancing.map(({ participantId }) => participantId));
      const [came, stayed] = [[...next.difference(chosen)], [...chosen.difference(next)]];
      if (came.length + stayed.length > 0) exceptions.push(`${event}: ${came.join(', ')} for ${stayed.join(', ')}`);
      for (const { participantIds, openings } of undecided)
        exceptions.push(`${event}: ${participantIds.join(', ')} for ${openings}`);
    }
    expect(exceptions).toEqual([
      // the row that the file lost
      "Men's 100m Backstroke Semifinals:  for NDOYE-BROUARD Y FRA",
      // who withdrew, and the reserve
      "Men's 100m Freestyle Heats: HWANG Sunwoo KOR for DRESSEL Caeleb USA",
      "Women's 100m Freestyle Heats: BRO Signe DEN for YANG Junxuan CHN",
      "Men's 200m Breaststroke Heats: AL-WIR Amro JOR for KAMMINGA Arno NED",
      "Women's 4x200m Freestyle Heats: NZL - New Zealand for GBR - Great Britain",
      "Women's 800m Freestyle Heats: EICHELBERGER JUNGBLUT Viviane BRA for PALLISTER Lani AUS",
      "Women's 50m Freestyle Heats: VERSIANI FERREIRA BRA for SANCHEZ Kayla CAN",
      // a tie on the last place that was never swum off, because one of the others withdrew
      "Men's 50m Backstroke Heats: NDOYE-BROUARD Y FRA, LAMBERTI Michele ITA for IRIE Ryosuke JPN",
      "Men's 50m Backstroke Heats: LAMBERTI Michele ITA, NDOYE-BROUARD Y FRA for 1",
    ]);
  });
});

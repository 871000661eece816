/** The world championships of 2022: all published places follow from the times. */
import { describe, expect, test } from '@jest/globals';
import { advancement } from '../../../../subgraphs/competitions/rankings/advancement.ts';
import { rankByMark, type MarkEntry } from '../../../../subgraphs/competitions/rankings/by-mark.ts';
import { displayMark, readMark } from '../../../../subgraphs/competitions/rankings/mark.ts';
import { readDataRows } from '../../../open-data.ts';

type Row = Readonly<Record<'event' | 'place' | 'heat' | 'lane' | 'name' | 'ioc' | 'time' | 'dq', string>>;
type Swim = MarkEntry & { readonly row: Row };

const lower = { direction: 'LOWER_IS_BETTER' } as const;

/** Five swimmers whose names differ between sessions in the file. */
const spellings: Readonly<Record<string, string>> = {
  'COSTA G': 'PEREIRA da COSTA Guilherme',
  'SANTOS N': 'ARAUJO DIAS dos SANTOS Nicholas',
  'JUNGBLUT V': 'EICHELBERGER JUNGBLUT Viviane',
  'FRANCA SILVA F': 'ALVES FRANCA da SILVA Felipe',
  'CONCEICAO J': 'ALVES da CONCEICAO Jhennifer',
};

/** Relays have the names of their countries. */
const idOf = ({ name, ioc }: Row): string => (name ? `${spellings[name] ?? name} ${ioc}` : ioc);

const swimOf = (row: Row): Swim => ({
  participantId: idOf(row),
  matchId: row.heat,
  ...(row.dq === '1' ? { mark: null, invalidResultMark: 'DSQ' } : { mark: readMark(row.time, 'ms').value }),
  row,
});

const summaryOf = ({ event, place, name, ioc, time }: Row): string => `${event}: ${place} ${name || ioc} ${time}`;

describe('the world championships of 2022', () => {
  const rows = readDataRows<Row>('swimming/worlds2022.csv');
  const events = Map.groupBy(rows, ({ event }) => event);
  const swimsOf = (event: string): Swim[] => (events.get(event) ?? []).map(swimOf);

  test('every time is formatted as in the file', () => {
    for (const { time } of rows) if (time) expect(displayMark(readMark(time, 'ms').value ?? 0, 'ms')).toBe(time);
  });

  test('every published place follows from the times, except for two repeated rows and two swim-offs with the same name', () => {
    const repeated: string[] = [];
    const different: string[] = [];
    for (const event of events.keys()) {
      const visible = new Set<string>();
      const swims = swimsOf(event).filter(({ participantId, row }) => {
        if (!visible.has(participantId)) return visible.add(participantId);
        repeated.push(summaryOf(row));
        return false;
      });
      for (const { entry, rank } of rankByMark(swims, lower)) {
        const published = entry.row.dq === '1' ? null : Number(entry.row.place);
        if (rank !== published) different.push(`${summaryOf(entry.row)} is ${rank}`);
      }
    }
    expect(repeated).toEqual([
      "Men's 4x100m Freestyle Final: 8 SRB - Serbia 3:13.83",
      "Men's 100m Backstroke Final: 3 ARMSTRONG Hunter 51.98",
    ]);
    expect(different).toEqual([
      // The second row of Armstrong replaces the fourth place, so all later places are one too low.
      "Men's 100m Backstroke Final: 5 CHRISTOU Apostolos 52.57 is 4",
      "Men's 100m Backstroke Final: 6 MASIUK Ksawery 52.75 is 5",
      "Men's 100m Backstroke Final: 7 IRIE Ryosuke 52.83 is 6",
      "Men's 100m Backstroke Final: 8 GLINTA Robert 53.63 is 7",
      // The swim-off of the heats has the same name as that of the semi-finals.
      "Men's 50m Freestyle: 1 CARTER Dylan 21.91 is 3",
      "Men's 50m Freestyle: 2 JI Yuchan 22.03 is 4",
    ]);
  });

  test('the semi-finals and finals contain those who advance by mark after swim-offs, and reserves for withdrawals', () => {
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
      const [added, withdrawn] = [[...next.difference(chosen)], [...chosen.difference(next)]];
      if (added.length + withdrawn.length > 0) exceptions.push(`${event}: ${added.join(', ')} for ${withdrawn.join(', ')}`);
      for (const { participantIds, openings } of undecided)
        exceptions.push(`${event}: ${participantIds.join(', ')} for ${openings}`);
    }
    expect(exceptions).toEqual([
      // This row is missing in the file.
      "Men's 100m Backstroke Semifinals:  for NDOYE-BROUARD Y FRA",
      // A withdrawal and the reserve.
      "Men's 100m Freestyle Heats: HWANG Sunwoo KOR for DRESSEL Caeleb USA",
      "Women's 100m Freestyle Heats: BRO Signe DEN for YANG Junxuan CHN",
      "Men's 200m Breaststroke Heats: AL-WIR Amro JOR for KAMMINGA Arno NED",
      "Women's 4x200m Freestyle Heats: NZL - New Zealand for GBR - Great Britain",
      "Women's 800m Freestyle Heats: EICHELBERGER JUNGBLUT Viviane BRA for PALLISTER Lani AUS",
      "Women's 50m Freestyle Heats: VERSIANI FERREIRA BRA for SANCHEZ Kayla CAN",
      // A tie for the last place without a swim-off, because another swimmer withdrew.
      "Men's 50m Backstroke Heats: NDOYE-BROUARD Y FRA, LAMBERTI Michele ITA for IRIE Ryosuke JPN",
      "Men's 50m Backstroke Heats: LAMBERTI Michele ITA, NDOYE-BROUARD Y FRA for 1",
    ]);
  });
});

/** Parsing of swims and tours before anything is sent, with facts from the sources and malformed rows. */
import { describe, expect, test } from '@jest/globals';
import { readSwimming } from '../../examples/import/swimming.ts';
import { splitsOf, timeMsOf } from '../../examples/import/swim-event.ts';
import { readTour } from '../../examples/import/tour.ts';
import { rowsOf } from './plan-rows.ts';

describe('swims', () => {
  const header = 'event,place,heat,lane,name,ioc,age,reaction_time,time,dq,splits';
  const swims = (...lines: string[]) =>
    readSwimming([header, ...lines].join('\n'), {
      name: 'Worlds',
      startDate: '2022-06-18',
      endDate: '2022-06-25',
      adultsConfirmed: true,
    });
  const heats = [
    "Women's 100m Butterfly Heats,1,3,4,MUELLER Anna,GER,25,0.65,57.95,0,26.50|31.45",
    "Women's 100m Butterfly Heats,2,2,4,DOE Jane,USA,,0.70,57.99,0,26.50|31.45",
    "Women's 100m Butterfly Heats,3,,2,KIM Seoyeong,KOR,28,,,1,",
  ];
  const final = ["Women's 100m Butterfly Final,1,,4,MUELLER Anna,GER,,0.60,56.00,0,26.00|30.00"];

  test('an athlete has the age of any row; for unknown ages the account confirms adults', () => {
    const { byKey } = rowsOf(swims(...final, ...heats), 'athletes');
    expect(byKey['ger/mueller-anna']).toMatchObject({
      displayName: 'MUELLER Anna',
      sex: 'FEMALE',
      nationalities: ['DE'],
      sportingNationality: 'GER',
      birthYear: 1997,
    });
    expect(byKey['usa/doe-jane']).toMatchObject({ adultConfirmed: true });
  });

  test('an event is a contest with its stages, each heat a match by lane', () => {
    const plan = swims(...heats, ...final);
    expect(Object.values(rowsOf(plan, 'contests').byKey)).toEqual([
      {
        name: "Women's 100m Butterfly",
        eventCode: '100_FLY',
        category: 'WOMEN',
        course: 'LONG_COURSE',
        distanceMeters: 100,
        relay: false,
        order: 0,
      },
    ]);
    const stages = Object.values(rowsOf(plan, 'stages').byKey);
    expect(stages).toMatchObject([
      { name: 'Heats', type: 'HEATS', order: 0 },
      { name: 'Final', type: 'FINAL', order: 1 },
    ]);
    const { byKey } = rowsOf(plan, 'matches');
    const key = 'worlds/2022/women-s-100m-butterfly';
    expect(byKey[`${key}/heats/3`]).toMatchObject({
      round: 'Heat 3',
      participants: [
        { participantId: 'participants worlds/2022/kor/kim-seoyeong', lane: 2 },
        { participantId: 'participants worlds/2022/ger/mueller-anna', lane: 4 },
      ],
      result: {
        participants: [
          { invalidResultMark: 'DNS', qualified: false },
          { mark: { value: 57_950 }, splits: [26_500, 31_450], reactionTimeMs: 650, qualified: true },
        ],
      },
    });
    expect(byKey[`${key}/final/1`]).toMatchObject({ round: 'Final', result: { participants: [{ rank: 1 }] } });
  });

  test('a swim-off is named after the stage before it, and an event may have two', () => {
    const swimOff = [
      "Women's 100m Butterfly,1,,4,MUELLER Anna,GER,,0.60,57.00,0,",
      "Women's 100m Butterfly,2,,5,DOE Jane,USA,,0.60,57.10,0,",
    ];
    const semifinal = "Women's 100m Butterfly Semifinals,1,1,4,MUELLER Anna,GER,25,0.65,57.00,0,26.50|30.50";
    const plan = swims(...heats, ...swimOff, semifinal, ...swimOff, ...final);
    const stages = Object.values(rowsOf(plan, 'stages').byKey);
    expect(stages.map(({ name }) => name)).toEqual([
      'Heats',
      'Swim-off after heats',
      'Semifinals',
      'Swim-off after semifinals',
      'Final',
    ]);
  });

  test('relays are entered by country, with splits per leg', () => {
    const relay =
      'Mixed 4x100m Medley Relay Heats,1,2,4,,"HKG - Hong Kong, China",,,3:40.00,0,26.00|55.00|26.00|55.00|26.00|55.00|26.00|55.00';
    const plan = swims(relay);
    expect(Object.values(rowsOf(plan, 'participants').byKey)).toEqual([
      {
        type: 'RELAY',
        contestId: 'contests worlds/2022/mixed-4x100m-medley-relay',
        name: 'Hong Kong, China',
        representsCountry: 'HK',
      },
    ]);
    const [match] = Object.values(rowsOf(plan, 'matches').byKey);
    const legs = [26_000, 29_000, 26_000, 29_000, 26_000, 29_000, 26_000, 29_000];
    expect(match).toMatchObject({ result: { participants: [{ mark: { value: 220_000 }, splits: legs }] } });
    expect(rowsOf(plan, 'athletes').byKey).toEqual({});
  });

  test('a swimmer with a start but no time was disqualified', () => {
    const plan = swims('Mixed 4x100m Medley Relay Heats,,2,4,,EST - Estonia,,,,1,26.97|55.84');
    expect(Object.values(rowsOf(plan, 'matches').byKey)[0]).toMatchObject({
      result: { participants: [{ invalidResultMark: 'DSQ' }] },
    });
  });

  test('rows that repeat a swimmer or have no heat are rejected with their reasons', () => {
    const plan = swims(
      ...final,
      ...final,
      'Mixed 4x100m Medley Relay Heats,,,4,,EST - Estonia,,,,1,',
      "Women's 3m Springboard Final,1,,4,X,GER,,,1:00.00,0,",
    );
    expect(rowsOf(plan, 'matches').rejected).toEqual(
      [
        ['line 4', ['has no heat']],
        ['line 5', ["has an unknown event: Women's 3m Springboard Final"]],
        ['line 3', ["this swimmer already has a row in this stage: line 2 (Women's 100m Butterfly Final)"]],
      ].toSorted(),
    );
  });

  test.each([
    ['26.45', 26_450],
    ['2:09.41', 129_410],
    ['14:50.12', 890_120],
    ['', null],
    ['DNS', null],
  ])('the time %j is %j ms', (text, value) => expect(timeMsOf(text)).toBe(value));

  test('splits that do not add up to the time are left out', () => {
    expect(splitsOf('26.00|30.00', 56_000, 1)).toEqual([26_000, 30_000]);
    expect(splitsOf('26.00|30.01', 56_000, 1)).toBeNull();
  });
});

describe('a tour', () => {
  const header = 'race,year,rank,rider,bib,team,total_seconds,gap_seconds,distance_km,stages';
  const tour = (...lines: string[]) => readTour([header, ...lines].join('\n'), { adultsConfirmed: true });

  test('a year is a season with one result; a stripped first place retains its time without a rider', () => {
    const plan = tour('men,2000,2,JAN ULLRICH,61,TELEKOM,333550,362,3662,21', 'women,2022,1,DEMI VOLLERING,1,SDW,96944,0,1029,8');
    expect(plan.finished).toEqual(['men/2000', 'women/2022']);
    expect(rowsOf(plan, 'participants').byKey).toEqual({
      'men/2000/first-place': { type: 'ATHLETE', unnamed: true },
      'men/2000/jan-ullrich': { type: 'ATHLETE', athleteId: 'athletes men/jan-ullrich', representsName: 'TELEKOM', bib: '61' },
      'women/2022/demi-vollering': {
        type: 'ATHLETE',
        athleteId: 'athletes women/demi-vollering',
        representsName: 'SDW',
        bib: '1',
      },
    });
    expect(rowsOf(plan, 'matches').byKey['men/2000/gc']).toMatchObject({
      result: {
        participants: [
          { participantId: 'participants men/2000/first-place', rank: 1, mark: { value: 333_188_000 }, vacated: true },
          { participantId: 'participants men/2000/jan-ullrich', rank: 2, mark: { value: 333_550_000 } },
        ],
      },
    });
  });

  test('a row without place, time or gap is rejected', () => {
    const plan = tour('men,2000,1,A B,1,T,100,0,10,1', 'men,2000,DNF,C D,2,T,,,10,1', 'dogs,20,1,,2,T,1,1,10,1');
    expect(rowsOf(plan, 'athletes').rejected).toEqual([
      ['line 3', ['has no place, time or gap']],
      ['line 4', ['unknown race: dogs', 'invalid year: 20', 'has no rider']],
    ]);
  });
});

/** Parsing of the open data's rows, with facts from the sources and malformed rows. */
import { describe, expect, test } from '@jest/globals';
import { readClubs, readPlace } from '../../examples/import/clubs.ts';
import { keyOf } from '../../examples/import/key.ts';
import { memberships, readSquads } from '../../examples/import/squads.ts';
import { readUniversities } from '../../examples/import/universities.ts';

const clubs = (...lines: string[]) => readClubs(['name,country_file,founded,stadium,city,aliases', ...lines].join('\n'));
const universities = (...lines: string[]) =>
  readUniversities(['name,country_alpha2,state_province,domain,web_page', ...lines].join('\n'));

describe('clubs', () => {
  test('a club has its names, place and stadium', () => {
    const { rows, rejected } = clubs('Arsenal FC,eng,1886,Emirates Stadium,London,Arsenal|FC Arsenal');
    expect(rejected).toEqual([]);
    expect(rows).toEqual([
      {
        place: 'line 2',
        label: 'Arsenal FC',
        item: {
          type: 'CLUB',
          name: 'Arsenal FC',
          aliases: ['Arsenal', 'FC Arsenal'],
          country: 'GB-ENG',
          city: 'London',
          foundedYear: 1886,
          facilities: [{ name: 'Emirates Stadium', kind: 'STADIUM' }],
          sports: ['FOOTBALL'],
          externalIds: [{ scheme: 'OPENFOOTBALL', value: 'eng/arsenal-fc' }],
          status: 'ACTIVE',
        },
      },
    ]);
  });

  test.each([
    ['sco', 'GB-SCT'],
    ['wal', 'GB-WLS'],
    ['nir', 'GB-NIR'],
    ['kos', 'XK'],
    ['de', 'DE'],
  ])('the file %s is the country %s', (file, country) => {
    expect(clubs(`FC X,${file},,,,`).rows[0]?.item).toMatchObject({ country });
  });

  test('marks of language and sponsors, doubled and trailing signs leave the names', () => {
    const { rows } = clubs('Admira,at,,,,Admira Vienna [en]|FC $$Flyeralarm$$ Admira|FC Admira| FC Admira [de]|Wacker Admira,');
    expect(rows).toEqual([]);
    const quoted = clubs('Admira,at,,,,"Admira Vienna [en]|FC $$Flyeralarm$$ Admira|FC Admira| FC Admira [de]|Wacker Admira,"');
    expect(quoted.rows[0]?.item).toMatchObject({
      aliases: ['Admira Vienna', 'FC Flyeralarm Admira', 'FC Admira', 'Wacker Admira'],
    });
  });

  test.each([
    ['Gent        › Oost-Vlaanderen › Vlaanderen', { city: 'Gent', region: 'Oost-Vlaanderen, Vlaanderen' }],
    ['2007        Linz', { city: 'Linz', foundedYear: 2007 }],
    ['1941  Montes de Oca › San José', { city: 'Montes de Oca', region: 'San José', foundedYear: 1941 }],
    ['Col. Ex Hacienda de Coapa // México D.F. C.P. 14390', { city: 'México D.F.' }],
    ['Veracruz › C.P. 94294', { city: 'Veracruz' }],
    ['C.P. 76079', {}],
    ['', {}],
  ])('the place %j is read as %j', (place, expected) => expect(readPlace(place)).toEqual(expected));

  test('a club named twice in one country is rejected with the line of the first', () => {
    const { rows, rejected } = clubs('Lorca FC,es,,,,Lorca', 'Lorca FC,es,,,Lorca,Lorca Fútbol Club', 'Lorca FC,ar,,,,');
    expect(rows.map(({ place }) => place)).toEqual(['line 2', 'line 4']);
    expect(rejected).toEqual([{ place: 'line 3', label: 'Lorca FC', reasons: ['same key as line 2 (es/lorca-fc)'] }]);
  });

  test('rows that are not clubs are rejected by line, with every reason', () => {
    const { rows, rejected } = clubs('FC Y,xx,18,,,', ',de,,,,', 'FC Z,de,1900');
    expect(rows).toEqual([]);
    expect(rejected.map(({ place, reasons }) => [place, reasons])).toEqual([
      ['line 4', ['has 3 fields, the header has 6']],
      ['line 2', ['unknown country: xx', 'founded is not a year: 18']],
      ['line 3', ['has no name']],
    ]);
  });

  test('a file without the required columns is rejected with their names', () => {
    expect(() => readClubs('title,country\nX,de')).toThrow('no column name, country_file, founded');
  });
});

describe('universities', () => {
  test('a university is recognised by its domain', () => {
    const { rows } = universities('University of Oradea,RO,null,uoradea.ro,http://www.uoradea.ro/');
    expect(rows[0]?.item).toEqual({
      type: 'UNIVERSITY',
      name: 'University of Oradea',
      country: 'RO',
      website: 'http://www.uoradea.ro/',
      emailDomain: 'uoradea.ro',
      sports: [],
      externalIds: [{ scheme: 'UNIVERSITY_DOMAIN', value: 'uoradea.ro' }],
      status: 'ACTIVE',
    });
  });

  test('two universities of one domain both stay, whatever their order', () => {
    const college = 'College of Technology at Jazan,SA,Jazan,jazanu.edu.sa,https://www.jazanu.edu.sa/';
    const university = 'Jazan University,SA,Jazan,jazanu.edu.sa,http://www.jazanu.edu.sa/';
    const idsOf = (...lines: string[]) => universities(...lines).rows.map(({ item }) => item.externalIds[0].value);
    expect(idsOf(college, university)).toEqual([
      'jazanu.edu.sa/college-of-technology-at-jazan',
      'jazanu.edu.sa/jazan-university',
    ]);
    expect(idsOf(university, college)).toEqual(idsOf(college, university).reverse());
  });
});

describe('squads', () => {
  const one = {
    number: 1,
    pos: 'GK',
    name: 'Emiliano Martínez',
    club: { name: 'Aston Villa FC', country: 'ENG' },
    date_of_birth: '1992-09-02',
  };
  const squads = (...players: unknown[]) =>
    readSquads(JSON.stringify([{ name: 'Argentina', fifa_code: 'ARG', group: 'J', players }]));

  test('a squad is a national team, athletes and their memberships', () => {
    const { teams, athletes, players } = squads(one);
    expect(teams.rows[0]?.item).toEqual({
      name: 'Argentina',
      shortName: 'ARG',
      sport: 'FOOTBALL',
      discipline: 'ASSOCIATION',
      category: 'MEN',
      ageGroup: 'SENIOR',
      country: 'AR',
      externalIds: [{ scheme: 'OPENFOOTBALL', value: 'world-cup/arg' }],
    });
    expect(athletes.rows[0]?.item).toEqual({
      displayName: 'Emiliano Martínez',
      dateOfBirth: '1992-09-02',
      sex: 'MALE',
      nationalities: ['AR'],
      sportingNationality: 'ARG',
      sports: [{ sport: 'FOOTBALL', discipline: 'ASSOCIATION', positions: ['GK'], primary: true, level: 'INTERNATIONAL' }],
      externalIds: [{ scheme: 'OPENFOOTBALL', value: 'world-cup/arg/emiliano-martinez' }],
      status: 'ACTIVE',
    });
    const ids = { team: new Map([['world-cup/arg', 'T']]), athlete: new Map([['world-cup/arg/emiliano-martinez', 'A']]) };
    expect(memberships(players, ids.team, ids.athlete).rows[0]?.item).toEqual({
      personType: 'ATHLETE',
      personId: 'A',
      teamId: 'T',
      role: 'PLAYER',
      type: 'NATIONAL',
      shirtNumber: 1,
      positions: ['GK'],
      externalIds: [{ scheme: 'OPENFOOTBALL', value: 'world-cup/arg/emiliano-martinez' }],
    });
  });

  test('one name in two squads is two athletes', () => {
    const list = ['ARG', 'URU'].map((code) => ({ name: code, fifa_code: code, players: [one] }));
    expect(readSquads(JSON.stringify(list)).athletes.rows).toHaveLength(2);
  });

  test('an invalid player is rejected with every reason, and has no membership', () => {
    const { athletes, players } = squads({ ...one, pos: 'XX', date_of_birth: '1992-02-30', number: null }, 'not a player');
    expect(players).toEqual([]);
    expect(athletes.rejected).toEqual([
      {
        place: 'ARG player 1',
        label: 'Emiliano Martínez',
        reasons: ['date of birth is not a calendar day: 1992-02-30', 'unknown position: XX', 'has no shirt number'],
      },
      expect.objectContaining({ place: 'ARG player 2' }),
    ]);
  });

  test('a player whose athlete was rejected is reported, not sent', () => {
    const { players } = squads(one);
    expect(memberships(players, new Map([['world-cup/arg', 'T']]), new Map())).toEqual({
      rows: [],
      rejected: [{ place: 'ARG 1', label: 'Emiliano Martínez', reasons: ['the athlete was not written'] }],
    });
  });
});

test('keys drop accents and signs and keep every script', () => {
  expect(['1. FC Köln', 'Bodø/Glimt', 'ЦСКА Москва', '—'].map(keyOf)).toEqual(['1-fc-koln', 'bodø-glimt', 'цска-москва', '']);
});

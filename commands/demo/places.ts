/** Locations of demo organizations and people: ten cities per country, and name patterns for clubs and universities. */
import { namesOf } from './names.ts';
import type { DemoCountry } from './names.ts';
import type { Random } from '../../platform/random.ts';

interface PlaceRow {
  readonly cities: readonly string[];
  /** Patterns with `{city}` and `{by}`, a byname that keeps the names different from those of real clubs. */
  readonly clubs: readonly string[];
  readonly bynames: readonly string[];
  /** Patterns with `{city}` and `{family}`, an invented founder, for the same reason. */
  readonly universities: readonly string[];
}

const list = (text: string): readonly string[] => text.split(/,\s+/);

const places: Readonly<Record<DemoCountry, PlaceRow>> = {
  AR: {
    cities: list(
      'Buenos Aires, Córdoba, Rosario, Mendoza, San Miguel de Tucumán, La Plata, Mar del Plata, Salta, Santa Fe, Neuquén',
    ),
    clubs: ['Club Atlético {by} de {city}', 'Club Social y Deportivo {by} ({city})', 'Sportivo {by} {city}'],
    bynames: list('La Estrella, Nueva Aurora, El Porvenir del Sur, Libertad, Los Cóndores, Tres Ríos'),
    universities: ['Universidad {family} de {city}', 'Instituto Universitario {family}, {city}'],
  },
  BR: {
    cities: list(
      'São Paulo, Rio de Janeiro, Belo Horizonte, Salvador, Brasília, Fortaleza, Curitiba, Recife, Porto Alegre, Goiânia',
    ),
    clubs: ['Esporte Clube {by} de {city}', 'Associação Desportiva {by} {city}', 'Clube {by} {city}'],
    bynames: list('Ipê Amarelo, Beija-Flor, Três Coroas, Alvorada, Cachoeira, Sabiá'),
    universities: ['Universidade {family} de {city}', 'Centro Universitário {family}, {city}'],
  },
  DE: {
    cities: list('Berlin, Hamburg, München, Köln, Frankfurt am Main, Stuttgart, Leipzig, Dresden, Nürnberg, Münster'),
    clubs: ['SV {by} {city}', 'TSV {by} {city}', 'SG {by} {city}', 'Sportfreunde {by} {city}'],
    bynames: list('Adler, Phönix, Morgenröte, Grün-Gold, Silberpappel, Kranich'),
    universities: ['{family}-Universität {city}', '{family}-Hochschule {city}'],
  },
  ES: {
    cities: list('Madrid, Barcelona, València, Sevilla, Zaragoza, Málaga, Bilbao, A Coruña, Córdoba, Valladolid'),
    clubs: ['Club Deportivo {by} {city}', 'Unión Deportiva {by} de {city}', 'Agrupación Deportiva {by} {city}'],
    bynames: list('Las Encinas, La Alameda, Puerta Nueva, Azahar, Los Cedros, El Faro'),
    universities: ['Universidad {family} de {city}', 'Escuela Universitaria {family}, {city}'],
  },
  FR: {
    cities: list('Paris, Lyon, Marseille, Toulouse, Nantes, Lille, Bordeaux, Rennes, Saint-Étienne, Besançon'),
    clubs: ['Étoile sportive {by} {city}', 'Union sportive {by} de {city}', 'Association sportive {by} {city}'],
    bynames: list('des Tilleuls, du Vieux Pont, de la Rivière, des Hirondelles, du Belvédère, de la Forêt'),
    universities: ['Université {family} de {city}', 'Institut {family}, {city}'],
  },
  GB: {
    cities: list('London, Birmingham, Manchester, Leeds, Glasgow, Cardiff, Belfast, Sheffield, Bristol, Newcastle upon Tyne'),
    clubs: ['{city} {by}', '{by} Athletic, {city}', '{city} {by} Sports Club'],
    bynames: list('Wayfarers, Kingfishers, Millbrook Rovers, Harriers Lane, Foxgloves, Old Granarians'),
    universities: ['{family} University, {city}', '{family} College {city}'],
  },
  GR: {
    cities: list('Αθήνα, Θεσσαλονίκη, Πάτρα, Ηράκλειο, Λάρισα, Βόλος, Ιωάννινα, Χανιά, Καβάλα, Ρόδος'),
    clubs: ['Α.Σ. {by} ({city})', 'Γ.Σ. {by} ({city})', 'Αθλητικός Όμιλος {by} ({city})'],
    bynames: list('Αετοί, Ορίζων, Δελφίνια, Πεύκα, Χελιδόνια, Βορράς'),
    universities: ['Πανεπιστήμιο «{family}» ({city})', 'Ινστιτούτο «{family}» ({city})'],
  },
  IT: {
    cities: list('Roma, Milano, Napoli, Torino, Palermo, Genova, Bologna, Firenze, Bari, Forlì'),
    clubs: ['Polisportiva {by} {city}', 'Unione Sportiva {by} {city}', 'Società Ginnastica {by} {city}'],
    bynames: list('La Quercia, Vecchio Mulino, Girasole, Tre Torri, Aquilone, Nuova Alba'),
    universities: ['Università {family} di {city}', 'Accademia {family}, {city}'],
  },
  JP: {
    cities: list('東京, 大阪, 名古屋, 札幌, 福岡, 神戸, 京都, 仙台, 広島, 横浜'),
    clubs: ['{by}{city}', '{city}{by}', '{city}{by}スポーツクラブ'],
    bynames: list('青風, レインボーズ, 若葉, ハヤブサ, 白波, ツバメ'),
    universities: ['{city}{family}大学', '{family}学院大学（{city}）'],
  },
  KE: {
    cities: list('Nairobi, Mombasa, Kisumu, Nakuru, Eldoret, Thika, Malindi, Kitale, Iten, Nyeri'),
    clubs: ['{city} {by} Sports Club', '{by} Athletics Club {city}', '{by} of {city}'],
    bynames: list('Acacia, Rift Runners, Simba Hill, Twiga, Baobab, Highland Stars'),
    universities: ['{family} University of {city}', '{family} College, {city}'],
  },
  KR: {
    cities: list('서울, 부산, 인천, 대구, 대전, 광주, 울산, 수원, 전주, 제주'),
    clubs: ['{city} {by}', '{city} {by} 스포츠클럽', '{by} {city}'],
    bynames: list('푸른별, 한마음, 해오름, 솔바람, 두루미, 새벽'),
    universities: ['{city} {family}씨 기념대학교', '{family}씨 체육대학교 ({city})'],
  },
  NG: {
    cities: list('Lagos, Kano, Ìbàdàn, Abuja, Port Harcourt, Benin City, Kaduna, Enugu, Jos, Calabar'),
    clubs: ['{by} Sports Club {city}', '{city} {by}', '{by} Academy, {city}'],
    bynames: list('Golden Palm, Savannah Stars, Iroko, Harmattan, Blue Lagoon, River Kings'),
    universities: ['{family} University, {city}', '{family} College of Sport, {city}'],
  },
  NL: {
    cities: list(
      "Amsterdam, Rotterdam, Den Haag, Utrecht, Eindhoven, Groningen, Tilburg, Nijmegen, 's-Hertogenbosch, Leeuwarden",
    ),
    clubs: ['SV {by} {city}', 'Sportclub {by} {city}', 'Sportvereniging {by} ({city})'],
    bynames: list('De Kievit, Oranjezon, Nooit Moe, De Molenwiek, Zilvermeeuw, Vooruitgang'),
    universities: ['Universiteit {family} {city}', 'Hogeschool {family} {city}'],
  },
  PL: {
    cities: list('Warszawa, Kraków, Łódź, Wrocław, Poznań, Gdańsk, Szczecin, Lublin, Białystok, Częstochowa'),
    clubs: ['KS {by} {city}', 'MKS {by} {city}', 'Klub Sportowy {by} {city}'],
    bynames: list('Żuraw, Jutrzenka, Bursztyn, Dąbrowa, Iskierka, Jaskółka'),
    universities: ['Uniwersytet „{family}” ({city})', 'Akademia „{family}” ({city})'],
  },
  SE: {
    cities: list('Stockholm, Göteborg, Malmö, Uppsala, Västerås, Örebro, Linköping, Umeå, Jönköping, Gävle'),
    clubs: ['{city} {by} IF', 'IK {by} {city}', '{by} SK, {city}'],
    bynames: list('Norrsken, Lärkan, Björkdungen, Granit, Svalan, Älgen'),
    universities: ['{family} universitet, {city}', '{family} högskola, {city}'],
  },
  US: {
    cities: list('New York, Los Angeles, Chicago, Houston, Phoenix, Philadelphia, San Antonio, Denver, Portland, Cañon City'),
    clubs: ['{city} {by}', '{by} Club of {city}', '{city} {by} Academy'],
    bynames: list('Copperheads, Prairie Wind, Lamplighters, Redwood, Nightjars, Bluestem'),
    universities: ['{family} University at {city}', '{family} State College, {city}'],
  },
};

/** A city of a country in its local spelling. */
export function generateCity(random: Random, country: DemoCountry): string {
  return random.pick(places[country].cities);
}

/** The cities of a country. */
export const citiesOf = (country: DemoCountry): readonly string[] => places[country].cities;

const fill = (pattern: string, words: Readonly<Record<string, string>>) =>
  pattern.replace(/\{(\w+)\}/g, (_all, key: string) => words[key] ?? '');

/** A club name of a city. A city has a few dozen names: add the sport or a number where names must be unique. */
export function generateClubName(random: Random, country: DemoCountry, city: string): string {
  const { clubs, bynames } = places[country];
  return fill(random.pick(clubs), { city, by: random.pick(bynames) });
}

/** A university of a city, named after an invented founder in the script of the country. */
export function generateUniversityName(random: Random, country: DemoCountry, city: string): string {
  const founder = random.pick(namesOf(country).MALE.family);
  return fill(random.pick(places[country].universities), { city, family: founder.native ?? founder.latin });
}

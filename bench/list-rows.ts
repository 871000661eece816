/** The lists of `npm run bench -- --lists`: each documented kind of filter and order, alone and combined, with frequent and rare values. */

/** Filter values that come from the database. */
export interface Known {
  readonly organizationId: string;
  readonly seasonId: string;
  readonly competitionId: string;
  readonly teamId: string;
  readonly athleteId: string;
}

export const knownStatement = `select statistics.season_id as "seasonId", statistics.competition_id as "competitionId",
    statistics.team_id as "teamId", statistics.athlete_id as "athleteId", membership.organization_id as "organizationId"
  from athletes.statistics join athletes.athlete on athlete.id = statistics.athlete_id join athletes.membership using (athlete_id, team_id)
  where statistics.sport = 'FOOTBALL' and statistics.scope = 'SEASON' and athlete.status = 'ACTIVE' and membership.status = 'ACTIVE' limit 1`;

const athletes = [
  '',
  'sort=name',
  'sort=-updatedAt&verified=true',
  'sport=FOOTBALL&country=DE',
  'sport=FOOTBALL&position=LB&level=NATIONAL',
  'sport=FOOTBALL&discipline=FUTSAL&country=SE',
  'sport=FOOTBALL&position=GK&openToOpportunities=true',
  'sport=SWIMMING&sex=FEMALE&ageMin=18&ageMax=21',
  'sport=RUGBY&nationality=KE&sort=name',
  'sport=CYCLING&sex=MALE&sort=name',
  'sport=TENNIS&verified=true',
  'sport=TENNIS,VOLLEYBALL&country=DE,FR,ES&sort=-name',
  'sport=FOOTBALL&discipline=BEACH',
  'nationality=BR&openToOpportunities=true',
  'nationality=NZ',
  'nationality=NZ&sort=name',
  'country=JP&sort=name',
  'country=NG&ageMin=36',
  'ageMax=18&sort=name',
  'level=INTERNATIONAL&sort=-updatedAt',
  'level=INTERNATIONAL&sport=HANDBALL&country=KE',
  'q=maria',
  'q=maria%20silva&country=BR',
  'organizationId={organizationId}',
  'updatedSince={weekAgo}',
  'sport=FOOTBALL&position=CB&dominantFoot=LEFT,BOTH&heightCmMin=190',
  'heightCmMin=215',
  'language=pt&sport=FOOTBALL',
  'freeAgent=true&sport=FOOTBALL',
  'contractUntil={inAYear}',
  'contractUntil={inAYear}&sport=FOOTBALL&level=NATIONAL',
  'availableFor=TRIAL&country=DE',
];

const statistics = [
  '',
  'sport=SWIMMING&scope=CAREER',
  'seasonId={seasonId}',
  'competitionId={competitionId}&scope=SEASON',
  'teamId={teamId}',
  'updatedSince={weekAgo}',
  'metric=goals&sort=-value',
  'metric=goals&sort=-value&sport=FOOTBALL&scope=SEASON',
  'metric=goals&sort=-value&sport=HANDBALL',
  'metric=goals&sort=-value&scope=MATCH',
  'metric=goals&sort=-value&seasonId={seasonId}',
  'metric=goals&sort=-value&competitionId={competitionId}',
  'metric=goals&sort=-value&teamId={teamId}',
  'metric=goals&sort=-value&scope=CAREER&source=PROVIDER',
  'metric=goals&sort=-value&source=COMPUTED',
  'metric=uciPoints&sort=-value&scope=CAREER',
  'metric=sprint30mMs&sort=value&seasonId={seasonId}',
];

/** Rare, frequent and short texts; the search has one page. */
const searches = ['berlin', 'club', 'maria silva', 'a'];

const withQuery = (path: string) => (query: string) => (query === '' ? path : `${path}?${query}`);

/** Paths below `/api/v1`, with the filter values inserted. */
export function listsOf(known: Known, now: Date = new Date()): string[] {
  const weekAgo = new Date(now.getTime() - 7 * 86_400_000).toISOString();
  const inAYear = new Date(now.getTime() + 365 * 86_400_000).toISOString().slice(0, 10);
  const values: Readonly<Record<string, string>> = { ...known, weekAgo, inAYear };
  const lists = [
    ...athletes.map(withQuery('/athletes')),
    ...statistics.map(withQuery('/athletes/statistics')),
    '/athletes/{athleteId}/statistics',
    ...searches.map((q) => `/search?q=${encodeURIComponent(q)}`),
  ];
  return lists.map((list) => list.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? ''));
}

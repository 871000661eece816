/** Demo saved searches: of the scouts account with matches, and a paused one of the account that owns the demo data. */
import { openRandom } from '../../../platform/random.ts';
import type { DemoAccount, DemoAthlete, DemoData } from '../../../schema/demo.ts';
import { isShown, type AddRow } from '../../runtime/area-seed.ts';
import type { AthleteFilter } from '../generated/resolvers.ts';
import type { Searched } from '../saved-searches/searched-list.ts';

interface DemoSearch extends Searched {
  readonly name: string;
  readonly intervalMinutes: number;
  /** Position of its shortlist in the demo shortlists. */
  readonly shortlist?: number;
}

const fullBacks = { sport: ['FOOTBALL'], position: ['LB', 'LWB', 'RB', 'RWB'], ageMax: 24 } satisfies AthleteFilter;
const youngFootballers = { sport: ['FOOTBALL'], ageMax: 22 } satisfies AthleteFilter;

const isFootballer = ({ sport, age }: DemoAthlete, ageMax: number): boolean => sport === 'FOOTBALL' && age <= ageMax;

/** The searches for athletes of the scouts, with the condition of each filter. */
const athleteSearches: readonly (DemoSearch & { readonly includes: (athlete: DemoAthlete) => boolean })[] = [
  {
    name: 'Full-backs under 25',
    kind: 'ATHLETES',
    filter: { athletes: fullBacks },
    intervalMinutes: 60,
    shortlist: 0,
    includes: (athlete) =>
      isFootballer(athlete, fullBacks.ageMax) && fullBacks.position.some((each) => athlete.positions.includes(each)),
  },
  {
    name: 'Footballers under 23',
    kind: 'ATHLETES',
    filter: { athletes: youngFootballers },
    intervalMinutes: 360,
    shortlist: 1,
    includes: (athlete) => isFootballer(athlete, youngFootballers.ageMax),
  },
];

/** The searches of the scouts that have found nothing new. */
const otherSearches: readonly DemoSearch[] = [
  {
    name: 'Emerging talents in athletics',
    kind: 'PROSPECTS',
    filter: { prospects: { sport: ['ATHLETICS'], minScore: 75, emerging: true } },
    intervalMinutes: 1440,
  },
  {
    name: 'Trials around Berlin',
    kind: 'OPPORTUNITIES',
    filter: { opportunities: { type: ['TRIAL'], near: '52.52,13.405', radiusKm: 100 } },
    intervalMinutes: 720,
  },
];

const pausedSearch: DemoSearch = {
  name: 'Free agents in basketball',
  kind: 'ATHLETES',
  filter: { athletes: { sport: ['BASKETBALL'], freeAgent: true } },
  intervalMinutes: 60,
};

const dayMs = 86_400_000;
const minuteMs = 60_000;
/** The searches were saved so many days ago. Athletes that were created later are matches. */
const savedDaysAgo = 60;
/** Only athletes of the first organizations are matches, so that the amount does not grow with the demo data. */
const searchedMax = 40;

interface DemoMatch {
  readonly subjectId: string;
  readonly matchedAt: string;
}

/** The athletes that a search found after they were created. */
function matchesOf(demo: DemoData, { intervalMinutes, includes }: (typeof athleteSearches)[number]): DemoMatch[] {
  const today = Date.parse(demo.today);
  const matches: DemoMatch[] = [];
  for (const { organization, athletes } of demo.squads()) {
    if (organization.number > searchedMax) break;
    for (const athlete of athletes.filter(isShown)) {
      const created = Date.parse(athlete.createdAt);
      // the next run after the creation
      const matched = (Math.floor(created / (intervalMinutes * minuteMs)) + 1) * intervalMinutes * minuteMs;
      if (created > today - savedDaysAgo * dayMs && matched <= today && includes(athlete))
        matches.push({ subjectId: athlete.id, matchedAt: new Date(matched).toISOString() });
    }
  }
  return matches;
}

interface Placement {
  readonly account: DemoAccount;
  readonly shortlistIds: readonly string[];
  readonly paused: boolean;
}

function addSearch(
  demo: DemoData,
  search: DemoSearch,
  matches: readonly DemoMatch[],
  { account, shortlistIds, paused }: Placement,
  add: AddRow,
): void {
  const random = openRandom(`${account.id}/saved-searches/${search.name}`);
  const id = random.uuid();
  const today = Date.parse(demo.today);
  const createdAt = new Date(today - savedDaysAgo * dayMs).toISOString();
  const runs = [...new Set(matches.map(({ matchedAt }) => matchedAt))].toSorted();
  const lastMatchedAt = runs.at(-1) ?? null;
  add('saved_search', {
    id,
    accountId: account.id,
    version: 1 + runs.length,
    createdAt,
    updatedAt: lastMatchedAt ?? createdAt,
    name: search.name,
    kind: search.kind,
    filter: JSON.stringify(search.filter),
    intervalMinutes: search.intervalMinutes,
    shortlistId: search.shortlist === undefined ? null : (shortlistIds[search.shortlist] ?? null),
    paused,
    lastMatchedAt,
    // what was created until then is known
    knownBefore: new Date(today).toISOString(),
  });
  for (const { subjectId, matchedAt } of matches)
    add('saved_search_subject', { id: random.uuid(), searchId: id, subjectId, addedAt: matchedAt, matchedAt });
}

/** @param shortlistIds of the demo shortlists, in their order */
export function addSavedSearches(demo: DemoData, shortlistIds: readonly string[], add: AddRow): void {
  const scouts = { account: demo.scouts, shortlistIds, paused: false };
  for (const search of athleteSearches) addSearch(demo, search, matchesOf(demo, search), scouts, add);
  for (const search of otherSearches) addSearch(demo, search, [], scouts, add);
  addSearch(demo, pausedSearch, [], { account: demo.account, shortlistIds, paused: true }, add);
}

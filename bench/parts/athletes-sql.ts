/** The responses of the hand-written routes: the fields of `GET /api/v1/athletes`, read and formatted by hand. */
import type { CursorCodec } from '../../platform/lists/cursor.ts';
import { raw, sql, type Queryable } from '../../platform/database/database.ts';
import { latestToday } from '../../subgraphs/runtime/age.ts';

interface Row {
  readonly id: string;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly status: string;
  readonly displayName: string;
  readonly imageId: string | null;
  readonly dateOfBirth: string | null;
  readonly sex: string;
  readonly nationalities: string[];
  readonly sportingNationality: string | null;
  readonly sports: readonly {
    sport: string;
    discipline: string | null;
    positions: string[];
    primary: boolean;
    level: string | null;
    yearsExperience?: number | null;
  }[];
  readonly residence: { country: string; region: string | null; city: string | null } | null;
  readonly heightCm: number | null;
  readonly weightKg: number | null;
  readonly dominantFoot: string | null;
  readonly dominantHand: string | null;
  readonly verification: { status: string; at: string | null };
}

interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/** The account that reads the list; null for an anonymous caller. */
export type AccountId = string | null;

const columns =
  raw(`a.id, a.version, a.created_at as "createdAt", a.updated_at as "updatedAt", a.status, a.display_name as "displayName", a.image_id as "imageId",
  a.date_of_birth as "dateOfBirth", a.sex, a.nationalities, a.sporting_nationality as "sportingNationality", a.sports, a.residence,
  a.height_cm as "heightCm", a.weight_kg as "weightKg", a.dominant_foot as "dominantFoot",
  a.dominant_hand as "dominantHand", a.verification`);

const visible = (
  account: AccountId,
) => sql`a.status = 'ACTIVE' and a.adult_from <= ${latestToday()}::date and (a.visibility = 'PUBLIC'
  or (a.visibility = 'ORGANIZATIONS' and exists (
    select from athletes.organization_account o where o.account_id = ${account}::uuid and o.verified)))`;

/** A birthday on February 29 is March 1 of a common year, as a comparison of texts gives. */
function ageOn(day: string, dateOfBirth: string): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return dateOfBirth.slice(5) <= day.slice(5) ? years : years - 1;
}

function card(row: Row, today: string, externalIds: readonly ExternalId[]) {
  const { id, version, createdAt, updatedAt, status, displayName, dateOfBirth, sex, nationalities, sportingNationality } = row;
  const { residence, heightCm, weightKg, dominantFoot, dominantHand, verification } = row;
  return {
    id,
    version,
    createdAt,
    updatedAt,
    status,
    restricted: false,
    displayName,
    // the demo data has no photos
    imageUrl: row.imageId,
    age: dateOfBirth === null ? null : ageOn(today, dateOfBirth),
    ageGroup: 'SENIOR',
    sex,
    nationalities,
    sportingNationality,
    sports: row.sports.map(({ sport, discipline, positions, primary, level, yearsExperience }) => ({
      sport,
      discipline,
      positions,
      primary,
      level,
      yearsExperience: yearsExperience ?? null,
    })),
    residence: residence && { country: residence.country, region: residence.region, city: residence.city },
    heightCm,
    weightKg,
    dominantFoot,
    dominantHand,
    verification: { status: verification.status, at: verification.at },
    externalIds,
  };
}

const sample: Row = {
  id: '',
  version: 1,
  createdAt: '',
  updatedAt: '',
  status: '',
  displayName: '',
  imageId: null,
  dateOfBirth: null,
  sex: '',
  nationalities: [],
  sportingNationality: null,
  sports: [{ sport: '', discipline: null, positions: [], primary: true, level: null }],
  residence: { country: '', region: null, city: null },
  heightCm: null,
  weightKg: null,
  dominantFoot: null,
  dominantHand: null,
  verification: { status: '', at: null },
};

/** The GraphQL selection of a value's members at any depth; a list is selected like its first item. */
function selectionOf(value: unknown): string {
  const object: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof object !== 'object' || object === null) return '';
  return Object.entries(object)
    .map(([name, member]) => {
      const inner = selectionOf(member);
      return inner === '' ? name : `${name} { ${inner} }`;
    })
    .join(' ');
}

/** The GraphQL selection of what the hand-written routes return: both follow the members of `card`. */
export const cardSelection = selectionOf(card(sample, '2026-01-01', [{ scheme: '', value: '' }]));

function pageOf(rows: readonly Row[], limit: number, cursors: CursorCodec) {
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    nextCursor: last === undefined ? null : cursors.seal([last.createdAt, last.id], 'bench'),
    hasMore: last !== undefined,
  };
}

/** The list with the two statements that the athletes area uses for it. */
export async function readAthletes(database: Queryable, cursors: CursorCodec, account: AccountId, limit: number) {
  const rows =
    await database.query<Row>(sql`/* bench.athletes */ select ${columns} from athletes.athlete a where ${visible(account)}
    order by a.created_at desc, a.id desc limit ${limit + 1}`);
  const shown = rows.slice(0, limit);
  const found = await database.query<ExternalId & { id: string }>(sql`/* bench.externalIds */
    select resource_id as id, scheme, value from athletes.external_id
    where resource_type = 'athlete' and resource_id = any(${shown.map(({ id }) => id)}::uuid[]) order by scheme, value`);
  const byId = Map.groupBy(found, ({ id }) => id);
  const today = latestToday();
  const data = shown.map((row) =>
    card(
      row,
      today,
      (byId.get(row.id) ?? []).map(({ scheme, value }) => ({ scheme, value })),
    ),
  );
  return { data, page: pageOf(rows, limit, cursors), tombstones: [] };
}

interface JoinedRow extends Row {
  readonly externalIds: readonly ExternalId[];
  readonly organization: { readonly id: string; readonly name: string } | null;
}

/** The list with the organization of each athlete in one statement over both areas, which ignores their boundaries. */
export async function readAthletesJoined(database: Queryable, cursors: CursorCodec, account: AccountId, limit: number) {
  const rows = await database.query<JoinedRow>(sql`/* bench.athletesJoined */ select ${columns},
      (select coalesce(jsonb_agg(jsonb_build_object('scheme', e.scheme, 'value', e.value) order by e.scheme, e.value), '[]')
        from athletes.external_id e where e.resource_type = 'athlete' and e.resource_id = a.id) as "externalIds",
      case when o.id is not null then jsonb_build_object('id', o.id, 'name', o.name) end as organization
    from athletes.athlete a
    left join lateral (select m.organization_id from athletes.membership m
      where m.athlete_id = a.id and m.status in ('ACTIVE', 'ON_LOAN') and (m.end_date is null or m.end_date >= current_date)
        and (m.start_date is null or m.start_date <= current_date)
      order by m.type <> 'PERMANENT', m.organization_id is null, m.start_date desc nulls last, m.id limit 1) m on true
    left join organizations.organization o on o.id = m.organization_id and o.status in ('ACTIVE', 'CLOSED')
    where ${visible(account)} order by a.created_at desc, a.id desc limit ${limit + 1}`);
  const today = latestToday();
  const data = rows.slice(0, limit).map((row) => ({ ...card(row, today, row.externalIds), organization: row.organization }));
  return { data, page: pageOf(rows, limit, cursors) };
}

/** Plausible values of JSON Schemas, for the examples of the OpenAPI document. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import { requiredWithoutFields } from './response-schema.ts';

/** REQUEST: the required members. RESPONSE: the members of a response without `fields` and `include`. */
export type ExampleKind = 'REQUEST' | 'RESPONSE';

const textsByFormat: Readonly<Record<string, string>> = {
  uuid: '0197a2c4-5d3e-7b61-9f20-3c8de1a4b752',
  date: '2026-07-01',
  'date-time': '2026-07-01T10:00:00.000Z',
  country: 'PT',
  uri: 'https://example.com',
  'uri-reference': '/api/v1',
};

/** Values of members that need more than their schema says, by name, or by title or component and name. */
const valuesByMember: Readonly<Record<string, unknown>> = {
  'ComparedMetric.title': 'Goals',
  'ComparedMetric.values': [12, 9],
  'ComparedMetric.matches': [24.5, 30],
  'ComparedMetric.percentiles': [91, 72],
  'ComparisonAxis.code': 'FINISHING',
  'ComparisonAxis.title': 'Finishing',
  'ComparisonAxis.percentiles': [91, 72],
  'ComparisonAxis.cohortPercentiles': [94, 70],
  'FitComponentDetails.contributionMax': 18,
  'FitComponentDetails.text':
    '1 of at most 18 points: Goals 12 (required: at least 10), 0.49 per 90 minutes, 91st percentile among 120 forwards, in 24.5 full matches until 2026-05-30',
  'GetProspectResponseNumbers.title': 'Goals',
  'RegisterDocumentInput.text': '{ plans { nodes { code } } }',
  'ScoreComponent.weight': 0.6,
  'ScoreComponent.value': 0.82,
  'ScoreComponent.contribution': 49,
  'ScoreComponent.contributionMax': 60,
  'ScoreComponent.text':
    '49 of at most 60 points: Goals 12, 0.49 per 90 minutes, 91st percentile among 120 forwards. Full matches: 24.5, until 2026-05-30.',
  'SimilarSkill.code': 'FINISHING',
  'SimilarSkill.title': 'Finishing',
  'SkillAxisDetails.code': 'FINISHING',
  'SkillAxisDetails.title': 'Finishing',
  age: 28,
  ageBand: '18-20',
  birthYear: 1998,
  city: 'Porto',
  near: '41.15,-8.61',
  code: 'GK',
  currency: 'EUR',
  date: '2026-07-01',
  dateOfBirth: '1998-02-03',
  deleted: true,
  discipline: 'FOOTBALL',
  displayName: 'Marta Ferreira',
  documentId: 'sha256:5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
  email: 'office@example.com',
  emailDomain: 'example.com',
  externalId: 'CRM:1042',
  familyName: 'Ferreira',
  givenName: 'Marta',
  gpa: 3.5,
  gpaScale: 4,
  graduationYear: 2027,
  hasMore: true,
  heightCm: 172,
  knownAs: 'Marta',
  key: 'goals',
  list: '/athletes?sort=-createdAt',
  metric: 'goals',
  metricKey: 'goals',
  month: '2026-06',
  name: 'Academia do Porto',
  nextCursor: 'p3uXm1Zk0wq8TQ',
  perDay: 100_000,
  perMonth: 1_500_000,
  burstPerMinute: 900,
  percentile: 91,
  overallPercentile: 84,
  similarPercentile: 88,
  similarity: 93,
  talentScore: 49,
  scoreLowerBound: 41.2,
  phone: '+351 220 000 000',
  positions: 'GK',
  reason: 'The data was wrong.',
  plan: 'pro',
  publicId: 'sp_live_4fTz81LmQw2x',
  scheme: 'CRM',
  scoreText: '2-1',
  sportingNationality: 'POR',
  timeZone: 'Europe/Lisbon',
  title: 'Trial for goalkeepers',
  unit: 'count',
  weightClass: '-63 kg',
  weightKg: 64,
  wingspanCm: 175,
};

/** The value of an enum that the most used resources have. */
const preferredValues: readonly unknown[] = ['ACTIVE', 'PUBLISHED', 'OPEN', 'FINISHED', 'VERIFIED', 'CLUB', 'TRIAL', 'FEMALE'];

/** Texts for members without a row, of which the first that the schema accepts is used. */
const texts = [
  'Example',
  'EXAMPLE',
  'PT',
  'EUR',
  'A',
  'office@example.com',
  'pro',
  'goals:gte:5',
  '0197a2c45d3e7b619f203c8de1a4b7520197a2c45d3e',
];

const typesOf = ({ type }: JsonSchema): readonly unknown[] => (Array.isArray(type) ? type : [type]);
const numberOr = (value: unknown, fallback: number): number => (typeof value === 'number' ? value : fallback);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function acceptsText({ pattern, minLength, maxLength }: JsonSchema, text: string): boolean {
  if (text.length < numberOr(minLength, 0) || text.length > numberOr(maxLength, Infinity)) return false;
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text);
}

function textOf(schema: JsonSchema, member: string): string {
  const { format } = schema;
  const named = valuesByMember[member];
  const known = typeof format === 'string' ? textsByFormat[format] : undefined;
  if (known !== undefined) return typeof named === 'string' ? named : known;
  const found = [...(typeof named === 'string' ? [named] : []), ...texts].find((text) => acceptsText(schema, text));
  if (found === undefined) throw new Error(`There is no example of the member ${member}. Add one to example-values.ts.`);
  return found;
}

function numberOf({ minimum, maximum }: JsonSchema, member: string): number {
  return Math.min(Math.max(numberOr(valuesByMember[member], 1), numberOr(minimum, -Infinity)), numberOr(maximum, Infinity));
}

/** The title of a schema, or the name of its component. */
function nameOf({ $ref: reference }: JsonSchema, { title }: JsonSchema): string {
  return title === undefined && typeof reference === 'string' ? (reference.split('/').at(-1) ?? '') : String(title);
}

/** Creates the function that returns an example of a schema. References are those of `components`. It throws Error for a text without an example. */
export function createExamples(components: Readonly<Record<string, JsonSchema>>) {
  function resolve(schema: JsonSchema): JsonSchema {
    const { $ref: reference } = schema;
    return typeof reference === 'string' ? (components[reference.split('/').at(-1) ?? ''] ?? {}) : schema;
  }

  /** The names of the members that an example has. */
  function membersOf(schema: JsonSchema, kind: ExampleKind): readonly string[] {
    const properties = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
    const required = [...listOf(schema['required']), ...listOf(schema[requiredWithoutFields])];
    const chosen = properties.filter((name) => required.includes(name));
    // a merge patch, and an object with alternatives, need one member
    return chosen.length > 0 || kind === 'RESPONSE' ? chosen : properties.slice(0, 1);
  }

  /** @param outer the components that contain the value: one that contains itself ends with null or an empty list */
  function exampleOf(given: JsonSchema, kind: ExampleKind, member: string, outer: readonly JsonSchema[]): unknown {
    const schema = resolve(given);
    const [first] = listOf(schema['examples']);
    if (first !== undefined) return first;
    const options = listOf(schema['enum']);
    if (options.length > 0) return preferredValues.find((value) => options.includes(value)) ?? options[0];
    const choices = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isRecord);
    const isNullable = choices.some(({ type }) => type === 'null') || typesOf(schema).includes('null');
    const [choice] = choices;
    if (choice !== undefined)
      return isNullable && outer.includes(resolve(choice)) ? null : exampleOf(choice, kind, member, outer);
    const type = typesOf(schema).find((each) => each !== 'null');
    if (type === 'string') return textOf(schema, member);
    if (type === 'integer' || type === 'number') return numberOf(schema, member);
    if (type === 'boolean') return valuesByMember[member] ?? false;
    if (type === 'array') return itemsOf(schema, kind, member, outer);
    if (type !== 'object') return null;
    const { properties } = schema;
    const owner = nameOf(given, schema);
    const inner = [...outer, schema];
    return Object.fromEntries(
      membersOf(schema, kind).map((name) => {
        const value: unknown = isRecord(properties) ? properties[name] : undefined;
        const key = `${owner}.${name}`;
        return [name, valuesByMember[key] ?? exampleOf(isRecord(value) ? value : {}, kind, name, inner)];
      }),
    );
  }

  function itemsOf(schema: JsonSchema, kind: ExampleKind, member: string, outer: readonly JsonSchema[]): unknown[] {
    const items = isRecord(schema['items']) ? schema['items'] : {};
    if (outer.includes(resolve(items))) return [];
    return Array.from({ length: Math.max(1, numberOr(schema['minItems'], 1)) }, (_, index) => {
      const item = exampleOf(items, kind, member, outer);
      // a list of ids has different ones
      return index > 0 && items['format'] === 'uuid' ? `${String(item).slice(0, -1)}${index}` : item;
    });
  }

  return (schema: JsonSchema, kind: ExampleKind): unknown => exampleOf(schema, kind, '', []);
}

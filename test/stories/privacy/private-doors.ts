/** Every door to what accounts keep for themselves, or between two of them: from the schema and the REST operations, so that none is forgotten. */
import { getNamedType, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { GraphQLField } from 'graphql';
import type { Operation } from '../../../rest-bridge/operations/operation.ts';
import { loadOperations } from '../../../rest-bridge/operations/load-operations.ts';
import { loadSupergraph } from '../../../router/supergraph.ts';
import { executableSchema } from '../../../schema/executable.ts';
import { report } from '../scouting/scouts.ts';

const privateTypes = /^(Application|Shortlist|ShortlistEntry|ScoutingReport|ContactRequest)(Connection|Edge)?$|^AthleteExport$/;
/** Whether values of a type are shown to nobody but their sides. */
export const isPrivate = (type: string): boolean => privateTypes.test(type);
const schema = executableSchema(loadSupergraph().schemas.public);

/** Who came as far as a private resource is shown what is in it; every other field that leads to one is a door. */
function isDoor(parent: string, { name, type }: GraphQLField<unknown, unknown>): boolean {
  if (isPrivate(parent)) return false;
  const writes = parent === 'Mutation' && /application|shortlist|scoutingReport|contactRequest/i.test(name);
  return writes || isPrivate(getNamedType(type).name);
}

export const fields: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => [type.name, field] as const))
    .filter(([parent, field]) => isDoor(parent, field))
    .map(([parent, field]) => [`${parent}.${field.name}`, field] as const),
);

/** `Type.field` of all doors of the graph. */
export const graphDoors: readonly string[] = [...fields.keys()].toSorted();

/** The doors that a REST operation leads through. */
function doorsOf(operation: Operation): string[] {
  const found = new Set<string>();
  const types = new TypeInfo(schema);
  const enter = (): void => {
    const door = `${types.getParentType()?.name ?? ''}.${types.getFieldDef()?.name ?? ''}`;
    if (fields.has(door)) found.add(door);
  };
  visit(parse(operation.documents[0]?.text() ?? ''), visitWithTypeInfo(types, { Field: { enter } }));
  return [...found];
}

/** REST operations by the door that they lead through. */
export const restDoors: ReadonlyMap<string, Operation[]> = Map.groupBy(
  loadOperations(schema).filter((operation) => doorsOf(operation).length > 0),
  (operation) => doorsOf(operation).join(),
);

/** What an attacker may know: the ids. */
export type Ids = Readonly<
  Record<'application' | 'opportunity' | 'organization' | 'athlete' | 'shortlist' | 'entry' | 'report' | 'request', string>
>;

type Values = Readonly<Record<string, unknown>>;

/**
 * What somebody who is no side is answered. NULL: there is nothing by that id. PAGE: a page of nothing. REFUSED: there is nothing to write to.
 * OWN: it makes something that is the caller's own.
 */
export interface Door {
  readonly about: 'application' | 'shortlist' | 'request' | 'export';
  readonly answer: 'NULL' | 'PAGE' | 'REJECTED' | 'OWN';
  readonly says: (ids: Ids) => Values;
  /** Ways through the graph to a door that is no root field; variables are what the door says. */
  readonly ways?: readonly string[];
}

const door = (about: Door['about'], answer: Door['answer'], says: Door['says'], ways?: readonly string[]): Door => ({
  about,
  answer,
  says,
  ...(ways ? { ways } : {}),
});
export const nothing = (): Values => ({});
const ifMatch = '*';
export const page = '{ nodes { id } edges { cursor node { id } } pageInfo { hasMore } }';

const application = (answer: Door['answer'], more: Values = {}) =>
  door('application', answer, (ids) => ({ id: ids.application, ...more }));
const inList = (answer: Door['answer'], more: Values = {}) =>
  door('shortlist', answer, (ids) => ({ shortlistId: ids.shortlist, id: ids.entry, ...more }));
const ofEntry = (answer: Door['answer'], more: (ids: Ids) => Values = nothing) =>
  door('shortlist', answer, (ids) => ({ shortlistId: ids.shortlist, entryId: ids.entry, ...more(ids) }));
const list = (answer: Door['answer'], more: Values = {}) => door('shortlist', answer, (ids) => ({ id: ids.shortlist, ...more }));
const request = (answer: Door['answer']) => door('request', answer, (ids) => ({ id: ids.request }));

/** Each door, and what is said at it. */
export const doors: Readonly<Record<string, Door>> = {
  'Query.application': application('NULL'),
  'Query.applications': door('application', 'PAGE', nothing),
  'Query.opportunityApplications': door('application', 'PAGE', (ids) => ({ opportunityId: ids.opportunity })),
  'Opportunity.applications': door('application', 'PAGE', (ids) => ids, [
    `query ($opportunity: ID!) { opportunity(id: $opportunity) { applications ${page} } }`,
    `{ opportunities(first: 20) { nodes { applications ${page} } } }`,
    `query ($organization: ID!) { organization(id: $organization) { opportunities { nodes { applications ${page} } } } }`,
    `query ($athlete: ID!, $opportunity: ID!) {
      opportunityMatches(athleteId: [$athlete], opportunityId: [$opportunity]) { nodes { opportunity { applications ${page} } } } }`,
  ]),
  'Mutation.createApplication': door('application', 'OWN', nothing),
  'Mutation.updateApplication': application('REJECTED', { input: { answers: [] }, ifMatch }),
  'Mutation.deleteApplication': application('REJECTED', { ifMatch }),
  ...Object.fromEntries(
    ['submit', 'withdraw', 'accept', 'decline', 'review', 'shortlist', 'invite', 'waitlist', 'offer', 'enroll'].map((verb) => [
      `Mutation.${verb}Application`,
      application('REJECTED'),
    ]),
  ),
  'Mutation.rescindApplication': application('REJECTED', { reasonCode: 'OTHER' }),
  'Mutation.rejectApplication': application('REJECTED', { reasonCode: 'OTHER' }),
  'Query.shortlist': list('NULL'),
  'Query.shortlists': door('shortlist', 'PAGE', nothing),
  'Query.shortlistEntry': inList('NULL'),
  'Query.shortlistEntries': door('shortlist', 'NULL', (ids) => ({ shortlistId: ids.shortlist })),
  'Query.scoutingReport': ofEntry('NULL', (ids) => ({ id: ids.report })),
  'Query.scoutingReports': ofEntry('NULL'),
  'Mutation.createShortlist': door('shortlist', 'OWN', nothing),
  'Mutation.updateShortlist': list('REJECTED', { input: { name: 'Mine' }, ifMatch }),
  'Mutation.deleteShortlist': list('REJECTED', { ifMatch }),
  'Mutation.addShortlistEntry': door('shortlist', 'REJECTED', (ids) => ({
    shortlistId: ids.shortlist,
    input: { athleteId: ids.athlete },
  })),
  'Mutation.upsertShortlistEntries': door('shortlist', 'REJECTED', (ids) => ({
    shortlistId: ids.shortlist,
    items: [{ athleteId: ids.athlete, externalIds: [{ scheme: 'CRM', value: 'same' }] }],
  })),
  'Mutation.updateShortlistEntry': inList('REJECTED', { input: { notes: 'Mine' }, ifMatch }),
  'Mutation.removeShortlistEntry': inList('REJECTED', { ifMatch }),
  'Mutation.moveShortlistEntry': inList('REJECTED', { stage: 'WATCHLIST' }),
  'Mutation.addScoutingReport': ofEntry('REJECTED', () => ({ input: report() })),
  'Query.contactRequest': request('NULL'),
  'Query.contactRequests': door('request', 'PAGE', nothing),
  'Mutation.sendContactRequest': door('request', 'OWN', nothing),
  'Mutation.acceptContactRequest': request('REJECTED'),
  'Mutation.declineContactRequest': request('REJECTED'),
  'Query.athleteExport': door('export', 'NULL', (ids) => ({ athleteId: ids.athlete })),
};

/** What is asked of each entity that an area answers for and that leads to something private: its id, and a selection. */
export const entitiesOf = (
  ids: Ids,
): Readonly<Record<'opportunities' | 'scouting', Readonly<Record<string, readonly [string, string]>>>> => ({
  opportunities: {
    Application: [ids.application, 'id version answers { answer } history { action }'],
    AthleteExport: [ids.athlete, 'applications { nodes { id } }'],
    Opportunity: [ids.opportunity, 'applications { nodes { id } edges { cursor } }'],
    Organization: [ids.organization, 'opportunities { nodes { applications { nodes { id } } } }'],
  },
  scouting: { AthleteExport: [ids.athlete, 'shortlists ratings { nodes { date } } contactRequests { nodes { id } }'] },
});

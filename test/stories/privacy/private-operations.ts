/** Every operation on resources that are private to one account or to two sides, derived from the schema and the REST operations. */
import { getNamedType, isObjectType, parse, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import type { GraphQLField } from 'graphql';
import type { Operation } from '../../../rest-bridge/operations/operation.ts';
import { loadOperations } from '../../../rest-bridge/operations/load-operations.ts';
import { loadSupergraph } from '../../../router/supergraph.ts';
import { executableSchema } from '../../../schema/executable.ts';
import { report } from '../scouting/scouts.ts';

const privateTypes =
  /^(Application|Shortlist|ShortlistEntry|ScoutingReport|ContactRequest|SavedSearch|SavedSearchMatch)(Connection|Edge)?$|^AthleteExport$/;
/** Whether values of a type are visible only to their sides. */
export const isPrivate = (type: string): boolean => privateTypes.test(type);
const schema = executableSchema(loadSupergraph().schemas.public);

/** Whether a field of a public type leads to a private resource, or changes one. */
function leadsToPrivate(parent: string, { name, type }: GraphQLField<unknown, unknown>): boolean {
  if (isPrivate(parent)) return false;
  const writes = parent === 'Mutation' && /application|shortlist|scoutingReport|contactRequest|savedSearch/i.test(name);
  return writes || isPrivate(getNamedType(type).name);
}

export const fields: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap((type) => Object.values(type.getFields()).map((field) => [type.name, field] as const))
    .filter(([parent, field]) => leadsToPrivate(parent, field))
    .map(([parent, field]) => [`${parent}.${field.name}`, field] as const),
);

/** `Type.field` of all such fields. */
export const privateFields: readonly string[] = [...fields.keys()].toSorted();

/** The private fields that a REST operation selects. */
function privateFieldsOf(operation: Operation): string[] {
  const found = new Set<string>();
  const types = new TypeInfo(schema);
  const enter = (): void => {
    const operation = `${types.getParentType()?.name ?? ''}.${types.getFieldDef()?.name ?? ''}`;
    if (fields.has(operation)) found.add(operation);
  };
  visit(parse(operation.documents[0]?.text() ?? ''), visitWithTypeInfo(types, { Field: { enter } }));
  return [...found];
}

/** REST operations by their private field. */
export const restOperations: ReadonlyMap<string, Operation[]> = Map.groupBy(
  loadOperations(schema).filter((operation) => privateFieldsOf(operation).length > 0),
  (operation) => privateFieldsOf(operation).join(),
);

/** Ids that an attacker may know. */
export type Ids = Readonly<
  Record<
    'application' | 'opportunity' | 'organization' | 'athlete' | 'shortlist' | 'entry' | 'report' | 'request' | 'search',
    string
  >
>;

type Values = Readonly<Record<string, unknown>>;

/**
 * The expected response to an account that is not a side. NULL: no resource with this ID. PAGE: an empty page.
 * REJECTED: not found. OWN: the operation creates a resource of the caller.
 */
export interface PrivateOperation {
  readonly about: 'application' | 'shortlist' | 'request' | 'export';
  readonly response: 'NULL' | 'PAGE' | 'REJECTED' | 'OWN';
  readonly variablesOf: (ids: Ids) => Values;
  /** Documents that reach a field below the root; their variables are those of the operation. */
  readonly documents?: readonly string[];
}

const operation = (
  about: PrivateOperation['about'],
  response: PrivateOperation['response'],
  variablesOf: PrivateOperation['variablesOf'],
  documents?: readonly string[],
): PrivateOperation => ({
  about,
  response,
  variablesOf,
  ...(documents ? { documents } : {}),
});
export const noVariables = (): Values => ({});
const ifMatch = '*';
export const page = '{ nodes { id } edges { cursor node { id } } pageInfo { hasMore } }';

const application = (response: PrivateOperation['response'], more: Values = {}) =>
  operation('application', response, (ids) => ({ id: ids.application, ...more }));
const inList = (response: PrivateOperation['response'], more: Values = {}) =>
  operation('shortlist', response, (ids) => ({ shortlistId: ids.shortlist, id: ids.entry, ...more }));
const ofEntry = (response: PrivateOperation['response'], more: (ids: Ids) => Values = noVariables) =>
  operation('shortlist', response, (ids) => ({ shortlistId: ids.shortlist, entryId: ids.entry, ...more(ids) }));
const list = (response: PrivateOperation['response'], more: Values = {}) =>
  operation('shortlist', response, (ids) => ({ id: ids.shortlist, ...more }));
// searches are private to the sender of the request
const search = (response: PrivateOperation['response'], more: Values = {}) =>
  operation('request', response, (ids) => ({ id: ids.search, ...more }));
const request = (response: PrivateOperation['response']) => operation('request', response, (ids) => ({ id: ids.request }));

/** Each operation with its variables. */
export const operations: Readonly<Record<string, PrivateOperation>> = {
  'Query.application': application('NULL'),
  'Query.applications': operation('application', 'PAGE', noVariables),
  'Query.opportunityApplications': operation('application', 'PAGE', (ids) => ({ opportunityId: ids.opportunity })),
  'Opportunity.applications': operation('application', 'PAGE', (ids) => ids, [
    `query ($opportunity: ID!) { opportunity(id: $opportunity) { applications ${page} } }`,
    `{ opportunities(first: 20) { nodes { applications ${page} } } }`,
    `query ($organization: ID!) { organization(id: $organization) { opportunities { nodes { applications ${page} } } } }`,
    `query ($athlete: ID!, $opportunity: ID!) {
      opportunityMatches(athleteId: [$athlete], opportunityId: [$opportunity]) { nodes { opportunity { applications ${page} } } } }`,
  ]),
  'Mutation.createApplication': operation('application', 'OWN', noVariables),
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
  'Query.shortlists': operation('shortlist', 'PAGE', noVariables),
  'Query.shortlistEntry': inList('NULL'),
  'Query.shortlistEntries': operation('shortlist', 'NULL', (ids) => ({ shortlistId: ids.shortlist })),
  'Query.scoutingReport': ofEntry('NULL', (ids) => ({ id: ids.report })),
  'Query.scoutingReports': ofEntry('NULL'),
  'Query.accountScoutingReports': operation('shortlist', 'PAGE', noVariables),
  'Mutation.createShortlist': operation('shortlist', 'OWN', noVariables),
  'Mutation.updateShortlist': list('REJECTED', { input: { name: 'Mine' }, ifMatch }),
  'Mutation.deleteShortlist': list('REJECTED', { ifMatch }),
  'Mutation.addShortlistEntry': operation('shortlist', 'REJECTED', (ids) => ({
    shortlistId: ids.shortlist,
    input: { athleteId: ids.athlete },
  })),
  'Mutation.upsertShortlistEntries': operation('shortlist', 'REJECTED', (ids) => ({
    shortlistId: ids.shortlist,
    items: [{ athleteId: ids.athlete, externalIds: [{ scheme: 'CRM', value: 'same' }] }],
  })),
  'Mutation.updateShortlistEntry': inList('REJECTED', { input: { notes: 'Mine' }, ifMatch }),
  'Mutation.removeShortlistEntry': inList('REJECTED', { ifMatch }),
  'Mutation.moveShortlistEntry': inList('REJECTED', { stage: 'WATCHLIST' }),
  'Mutation.addScoutingReport': ofEntry('REJECTED', () => ({ input: report() })),
  'Query.contactRequest': request('NULL'),
  'Query.contactRequests': operation('request', 'PAGE', noVariables),
  'Mutation.sendContactRequest': operation('request', 'OWN', noVariables),
  'Mutation.acceptContactRequest': request('REJECTED'),
  'Mutation.declineContactRequest': request('REJECTED'),
  'Query.savedSearch': search('NULL'),
  'Query.savedSearches': operation('request', 'PAGE', noVariables),
  'Query.savedSearchMatches': operation('request', 'NULL', (ids) => ({ id: ids.search, savedSearchId: ids.search })),
  'Mutation.createSavedSearch': operation('request', 'OWN', noVariables),
  'Mutation.updateSavedSearch': search('REJECTED', { input: { name: 'Mine', filter: { athletes: { q: 'Ada' } } }, ifMatch }),
  'Mutation.deleteSavedSearch': search('REJECTED', { ifMatch }),
  'Query.athleteExport': operation('export', 'NULL', (ids) => ({ athleteId: ids.athlete })),
};

/** For each entity that leads to a private resource: its id, and a selection. */
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

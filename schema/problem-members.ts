/** The members that problems have in addition to those of RFC 9457 and `code`, by error code, as JSON Schema. */
import type { ErrorCode } from './errors.ts';
import type { JsonSchema } from './json-schema.ts';

export interface ProblemMember {
  readonly schema: JsonSchema;
  /** Whether every problem of the code has the member. */
  readonly required: boolean;
}

type Members = Readonly<Record<string, ProblemMember>>;

const texts = (description: string, examples: readonly string[]): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
  examples: [examples],
});
const text = (description: string, example: string): JsonSchema => ({ type: 'string', description, examples: [example] });
const count = (description: string, example: number): JsonSchema => ({ type: 'integer', description, examples: [example] });
const always = (schema: JsonSchema): ProblemMember => ({ schema, required: true });
const sometimes = (schema: JsonSchema): ProblemMember => ({ schema, required: false });

const violations = (example: Readonly<Record<string, string>>): JsonSchema => ({
  type: 'array',
  items: { $ref: '#/components/schemas/Violation' },
  description: 'The violations of the request.',
  examples: [[example]],
});
const versions = sometimes(texts('The supported versions of the API, for an unknown or ended one.', ['v1']));
const network = sometimes(text('The network whose addresses share the limit.', '203.0.113.0/24'));
const plan = text('The pricing plan.', 'free');
const limit = count('The limit of the window.', 1000);
const used = count('What was used of the limit.', 1000);
const resetAt: JsonSchema = { type: 'string', format: 'date-time', description: 'Time when the window resets.' };
const policies = texts('The windows without remaining requests.', ['day']);

/** Codes without a row have no further members. */
export const problemMembers: Partial<Record<ErrorCode, Members>> = {
  unknown_parameter: {
    errors: always(violations({ parameter: 'contry', code: 'unknown', detail: 'is not a parameter; did you mean `country`?' })),
  },
  parameter_invalid: {
    errors: sometimes(violations({ parameter: 'limit', code: 'out_of_bounds', detail: 'must be at most 100' })),
  },
  validation_failed: {
    errors: sometimes(violations({ pointer: '/displayName', code: 'out_of_bounds', detail: 'must have at least 1 character' })),
  },
  insufficient_scope: { requiredScopes: always(texts('The scopes that the operation requires.', ['athletes:write'])) },
  not_found: { versions },
  gone: { versions },
  not_acceptable: { available: always(texts('The media types that the operation responds with.', ['application/json'])) },
  unsupported_media_type: { accepted: sometimes(texts('The media types that are supported.', ['application/json'])) },
  conflict: {
    existingId: sometimes({
      type: 'string',
      format: 'uuid',
      description:
        'The resource of your account that already exists. Absent if the conflict is with no resource of your account.',
    }),
    errors: sometimes(
      violations({ pointer: '/externalIds/0', code: 'taken', detail: 'This external ID belongs to another resource.' }),
    ),
  },
  invalid_transition: {
    state: sometimes(text('The current state. Absent if another resource prevents the transition.', 'DRAFT')),
    allowedTransitions: sometimes(
      texts('The transitions of the current state. Absent if another resource prevents the transition.', ['activate']),
    ),
    openMatches: sometimes(count('The number of open matches that keep a season from finishing.', 2)),
  },
  consent_required: { missingScopes: always(texts("The scopes that a guardian's consent lacks.", ['CONTACT'])) },
  precondition_failed: { version: sometimes(count('The current version of the resource.', 3)) },
  payload_too_large: {
    maxBytes: sometimes(count('The maximum size of the body in bytes.', 65_536)),
    maxValues: sometimes(count('The maximum number of values in the body.', 2_000)),
  },
  quota_exceeded: {
    'violated-policies': always(policies),
    plan: always(plan),
    limit: always(limit),
    used: always(used),
    resetAt: always(resetAt),
    network,
  },
  rate_limited: {
    'violated-policies': sometimes(policies),
    plan: sometimes(plan),
    limit: sometimes(limit),
    used: sometimes(used),
    resetAt: sometimes(resetAt),
    network,
  },
  stream_limit_exceeded: { plan: always(plan), limit: always(limit), used: always(used) },
  overloaded: { plan: sometimes(plan) },
};

/** JSON Schema of the subset of the Compose specification in docker-compose.yml. Unknown members are errors. */

const text = { type: 'string', minLength: 1 };
const duration = { type: 'string', pattern: '^[0-9]+(ms|s|m)$' };
const name = '^[a-z][a-z0-9-]*$';

const object = (properties: Readonly<Record<string, unknown>>, required: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object, minItems = 0): object => ({ type: 'array', items, minItems });
const byName = (values: object): object => ({
  type: 'object',
  patternProperties: { [name]: values },
  additionalProperties: false,
});

const limits = object(
  {
    // YAML reads an unquoted number as one, and Compose requires a text
    cpus: { type: 'string', pattern: '^[0-9]+([.][0-9]+)?$' },
    memory: { type: 'string', pattern: '^[0-9]+[MG]$' },
    pids: { type: 'integer', minimum: 1 },
  },
  ['cpus', 'memory', 'pids'],
);

const probe = object(
  {
    test: list(text, 2),
    interval: duration,
    timeout: duration,
    retries: { type: 'integer', minimum: 1 },
    start_period: duration,
  },
  ['test'],
);

const service = object(
  {
    image: text,
    build: { const: '.' },
    init: { type: 'boolean' },
    user: text,
    read_only: { type: 'boolean' },
    cap_drop: list(text, 1),
    security_opt: list(text, 1),
    tmpfs: list({ type: 'string', pattern: '^/[a-z/]+(:size=[0-9]+m)?$' }, 1),
    shm_size: { type: 'string', pattern: '^[0-9]+m$' },
    stop_signal: { const: 'SIGINT' },
    deploy: object({ resources: object({ limits }, ['limits']) }, ['resources']),
    restart: { type: 'string', pattern: '^(unless-stopped|on-failure:[0-9]+)$' },
    stop_grace_period: duration,
    profiles: list(text, 1),
    entrypoint: list(text, 1),
    command: list(text),
    // unquoted numbers and booleans depend on the YAML parser
    environment: { type: 'object', patternProperties: { '^[A-Z][A-Z0-9_]*$': { type: 'string' } }, additionalProperties: false },
    ports: list({ type: 'string', pattern: '^[0-9]+:[0-9]+$' }, 1),
    volumes: list({ type: 'string', pattern: '^[a-z]+:/[a-z/]+$' }, 1),
    healthcheck: { oneOf: [probe, object({ disable: { const: true } }, ['disable'])] },
    depends_on: byName(object({ condition: { enum: ['service_healthy', 'service_completed_successfully'] } }, ['condition'])),
  },
  ['image', 'healthcheck'],
);

/** JSON Schema draft 2020-12; `x-` members contain anchors. */
export const composeSchema = {
  type: 'object',
  properties: { name: { type: 'string', pattern: name }, services: byName(service), volumes: byName({ type: 'null' }) },
  patternProperties: { '^x-': { type: 'object' } },
  required: ['name', 'services', 'volumes'],
  additionalProperties: false,
} as const;

/** The log of a process: JSON lines without secrets. */
import { pino, type DestinationStream, type Logger } from 'pino';

export interface LogOptions {
  /** What the process is, such as its role. */
  readonly name: string;
  readonly level: string;
  /** Where lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

const secretNames = [
  'password',
  'secret',
  'token',
  'key',
  'apiKey',
  'credentials',
  'authorization',
  'cookie',
  '["x-api-key"]',
  '["set-cookie"]',
];
const places = ['', 'headers', '*', '*.headers'];

/** Opens a log; members named like secrets are censored down to two levels, and errors are told without what they carry (SQL details, URLs' passwords). */
export function createLog(options: LogOptions): Logger {
  const settings = {
    name: options.name,
    level: options.level,
    redact: { paths: places.flatMap((place) => secretNames.map((name) => pathOf(place, name))), censor: '[redacted]' },
    serializers: { err: errorFacts, error: errorFacts },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}

function pathOf(place: string, name: string): string {
  return name.startsWith('[') || place === '' ? `${place}${name}` : `${place}.${name}`;
}

/** PostgreSQL's `detail` and `where` may hold personal data, and a connection error the whole URL. */
function errorFacts(fault: unknown): unknown {
  if (typeof fault !== 'object' || fault === null) return fault;
  const { name, message, stack, code, cause } = fault as Partial<
    Record<'name' | 'message' | 'stack' | 'code' | 'cause', unknown>
  >;
  return {
    name,
    code,
    message: withoutPassword(message),
    stack: withoutPassword(stack),
    ...(cause === undefined ? {} : { cause: errorFacts(cause) }),
  };
}

function withoutPassword(text: unknown): unknown {
  return typeof text === 'string' ? text.replace(/:\/\/([^\s:@/]*):[^\s@/]*@/g, '://$1:[redacted]@') : text;
}

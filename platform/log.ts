/** The process log: JSON lines without secrets, or readable lines on a terminal. */
import { pino, type DestinationStream, type Logger } from 'pino';
import { isRecord } from '../schema/records.ts';

export interface LogOptions {
  /** Name of the process, such as its role. */
  readonly name: string;
  readonly level: string;
  /** Output stream; default: standard output. */
  readonly destination?: DestinationStream;
}

const secretNames = new Set([
  'password',
  'secret',
  'token',
  'key',
  'apiKey',
  'credentials',
  'authorization',
  'cookie',
  'x-api-key',
  'set-cookie',
]);

/** Deeper members contain no headers and are logged unchanged. */
const levels = 3;

/** Creates a log. Values of secret members are redacted down to two levels; errors are logged without data that may contain secrets, such as SQL details and passwords in URLs. */
export function createLog(options: LogOptions): Logger {
  const settings = {
    name: options.name,
    level: options.level,
    // pino's redaction evaluates its paths for every line and takes thirty times as long as the rest of the line
    formatters: { log: (facts: Record<string, unknown>) => redacted(facts, levels) },
    serializers: { err: errorFacts, error: errorFacts },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
}

/** Copies the facts with the values of secret members redacted. */
function redacted(facts: Record<string, unknown>, level: number): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const [name, value] of Object.entries(facts)) {
    const safe = secretNames.has(name) ? '[redacted]' : redactedValue(value, level);
    if (safe !== value) (copy ??= { ...facts })[name] = safe;
  }
  return copy ?? facts;
}

function redactedValue(value: unknown, level: number): unknown {
  return level > 1 && isRecord(value) && !(value instanceof Error) ? redacted(value, level - 1) : value;
}

/** Keeps the standard members of an error: PostgreSQL's `detail` and `where` may contain personal data, and a connection error the whole URL. */
function errorFacts(error: unknown): unknown {
  if (!isRecord(error)) return error;
  const { name, message, stack, code, cause } = error;
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

/** Standard output for a terminal: one readable line per entry, instead of JSON. */
export async function openTerminalDestination(): Promise<DestinationStream> {
  // processes without a terminal do not load it
  const { PinoPretty } = await import('pino-pretty');
  return PinoPretty({ sync: true, singleLine: true, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname,name' });
}

/** The calendars of lists in the OpenAPI document: `GET <path of the list>.ics`. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import { isRecord } from '../../schema/records.ts';
import { isCalendarParameter } from '../calendars/calendar-handler.ts';
import { calendars } from '../calendars/calendar.ts';
import type { Operation } from '../operations/operation.ts';
import type { OpenApiOperation } from './openapi.ts';

/** Parameters of a list that a calendar does not have. */
const isOfCalendar = ({ name }: JsonSchema): boolean => {
  const text = String(name);
  return isCalendarParameter(text) && text !== 'fields' && text !== 'include';
};

const example = 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…\r\nEND:VCALENDAR\r\n';

/** The calendar of a list, with its path, from the operation of the list; null for a list without one. */
export function calendarOperation(
  { name, path }: Operation,
  list: OpenApiOperation,
): readonly [path: string, operation: OpenApiOperation] | null {
  const calendar = calendars[name];
  if (calendar === undefined) return null;
  const { responses, parameters = [] } = list;
  const success = isRecord(responses['200']) ? responses['200'] : {};
  const scopes = calendar.scopes.map((scope) => `\`${scope}\``).join(', ');
  const operation: OpenApiOperation = {
    operationId: name.replace(/^list(.*)$/, 'get$1Calendar'),
    summary: `Subscribe to ${calendar.name.toLowerCase()} in a calendar program.`,
    description: [
      `The list \`GET ${path}\` as a calendar (iCalendar, RFC 5545), at most its latest 1,000 rows.`,
      scopes === '' ? '' : `Requires one of ${scopes}.`,
    ]
      .filter((sentence) => sentence !== '')
      .join(' '),
    tags: list.tags,
    parameters: parameters.filter(isOfCalendar),
    responses: {
      ...responses,
      200: {
        description: 'The calendar.',
        headers: success['headers'] ?? {},
        content: { 'text/calendar': { schema: { type: 'string', description: 'An iCalendar file.', examples: [example] } } },
      },
    },
    security: list.security,
  };
  return [`${path}.ics`, operation];
}

/** The host of a sport serves no other sport (docs/hosts.md). */
import { Problem } from '../../schema/errors.ts';
import type { Sport } from '../../schema/sports.ts';
import type { Operation } from '../operations/operation.ts';
import type { ReadRequest } from './request-reader.ts';

/** The problem of a query that names another sport than the host. */
export function otherSport({ variables }: Operation, read: ReadRequest, sport: Sport): Problem | null {
  const parameter = variables.find(({ place, wireName }) => place === 'query' && wireName === 'sport');
  const given = parameter && read.variables[parameter.name];
  if (given === undefined || [given].flat().every((each) => each === sport)) return null;
  const detail = `must be ${sport}: this host serves no other sport. Use the main host for others.`;
  return new Problem('parameter_invalid', `\`sport\` ${detail}`, {
    errors: [{ parameter: 'sport', code: 'other_sport', detail }],
  });
}

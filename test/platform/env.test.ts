/** What reading the environment promises. */
import { describe, expect, test } from '@jest/globals';
import { describe as describeTable, flag, integer, list, oneOf, readEnvironment, text, url, urls } from '../../platform/env.ts';

const table = {
  PORT: integer({ default: 4000, min: 0, max: 65_535, description: 'Port of the public door' }),
  DATABASE_URL: url({ protocols: ['postgresql:', 'postgres:'], description: 'PostgreSQL of your own', secret: true }),
  SECRET: text({ required: true, minLength: 32, description: 'Root secret', secret: true }),
  ROLE: oneOf(['all', 'router'], { default: 'all', description: 'What this process is' }),
  TRUST_PROXY: flag({ default: false, description: 'Believe X-Forwarded-For' }),
  REDIS_URL: urls({ protocols: ['redis:'], description: 'Redis of your own', secret: true }),
  ORIGINS: list({ default: [], description: 'Allowed origins' }, 'letters', (word) => (word.length === 1 ? word : null)),
};
const secret = 'x'.repeat(32);

describe('the environment', () => {
  test('is typed and frozen, with defaults and null for what is absent or empty', () => {
    const environment = readEnvironment({ SECRET: secret, PORT: '', OTHER: '1', ORIGINS: 'a, b,,' }, table);
    const port: number = environment.PORT;
    const database: string | null = environment.DATABASE_URL;
    const role: 'all' | 'router' = environment.ROLE;
    expect({ port, database, role }).toEqual({ port: 4000, database: null, role: 'all' });
    expect(environment).toEqual({
      PORT: 4000,
      DATABASE_URL: null,
      SECRET: secret,
      ROLE: 'all',
      TRUST_PROXY: false,
      REDIS_URL: [],
      ORIGINS: ['a', 'b'],
    });
    expect(Object.isFrozen(environment)).toBe(true);
  });

  test('tells every fault at once and repeats no value', () => {
    const source = {
      PORT: '65536',
      DATABASE_URL: 'mysql://me:hunter2@host',
      ROLE: 'boss',
      TRUST_PROXY: 'perhaps',
      REDIS_URL: 'redis://one, http://me:hunter2@two',
      ORIGINS: 'a,hunter2',
      SECRET: 'hunter2',
    };
    let message = '';
    try {
      readEnvironment(source, table);
    } catch (fault) {
      message = (fault as Error).message;
    }
    expect(message.split('\n').slice(1)).toEqual([
      '  PORT must be whole number from 0 to 65535: Port of the public door',
      '  DATABASE_URL must be URL (postgresql://…, postgres://…): PostgreSQL of your own',
      '  SECRET must be text of 32 characters or more: Root secret',
      '  ROLE must be all | router: What this process is',
      '  TRUST_PROXY must be true or false: Believe X-Forwarded-For',
      '  REDIS_URL must be URLs (redis://…), separated by commas: Redis of your own',
      '  ORIGINS must be letters, separated by commas: Allowed origins',
    ]);
    expect(message).not.toContain('hunter2');
    expect(() => readEnvironment({}, table)).toThrow('SECRET is required: Root secret');
  });

  test.each(['4.5', '1e3', '0x10', '-1', 'NaN', '９'])('%s is no port', (value) => {
    expect(() => readEnvironment({ SECRET: secret, PORT: value }, table)).toThrow('PORT must be');
  });

  test('words of Object.prototype are no flags', () => {
    expect(() => readEnvironment({ SECRET: secret, TRUST_PROXY: 'constructor' }, table)).toThrow('TRUST_PROXY must be');
  });

  test('describes itself', () => {
    expect(describeTable(table).split('\n')[0]).toMatch(
      /^ {2}PORT +whole number from 0 to 65535 +\[4000\] +Port of the public door$/,
    );
  });
});

/** Reading and validation of environment variables. */
import { describe, expect, test } from '@jest/globals';
import { describe as describeTable, integer, list, oneOf, readEnvironment, text, url, urls } from '../../platform/env.ts';

const table = {
  PORT: integer({ default: 4000, min: 0, max: 65_535, description: 'Port of the public API' }),
  DATABASE_URL: url({ protocols: ['postgresql:', 'postgres:'], description: 'Your PostgreSQL', secret: true }),
  SECRET: text({ required: true, minLength: 32, description: 'Root secret', secret: true }),
  ROLE: oneOf(['all', 'router'], { default: 'all', description: 'Role of this process' }),
  REDIS_URL: urls({ protocols: ['redis:'], description: 'Your Redis', secret: true }),
  ORIGINS: list({ default: [], description: 'Allowed origins' }, 'letters', (word) => (word.length === 1 ? word : null)),
};
const secret = 'x'.repeat(32);

describe('the environment', () => {
  test('is typed and frozen; absent and empty variables get their default or null', () => {
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
      REDIS_URL: [],
      ORIGINS: ['a', 'b'],
    });
    expect(Object.isFrozen(environment)).toBe(true);
  });

  test('reports all invalid variables at once without their values', () => {
    const source = {
      PORT: '65536',
      DATABASE_URL: 'mysql://me:hunter2@host',
      ROLE: 'boss',
      REDIS_URL: 'redis://one, http://me:hunter2@two',
      ORIGINS: 'a,hunter2',
      SECRET: 'hunter2',
    };
    let message = '';
    try {
      readEnvironment(source, table);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.split('\n').slice(1)).toEqual([
      '  PORT must be whole number from 0 to 65535: Port of the public API',
      '  DATABASE_URL must be URL (postgresql://…, postgres://…): Your PostgreSQL',
      '  SECRET must be text of 32 characters or more: Root secret',
      '  ROLE must be all | router: Role of this process',
      '  REDIS_URL must be URLs (redis://…), separated by commas: Your Redis',
      '  ORIGINS must be letters, separated by commas: Allowed origins',
    ]);
    expect(message).not.toContain('hunter2');
    expect(() => readEnvironment({}, table)).toThrow('SECRET is required: Root secret');
  });

  test.each(['4.5', '1e3', '0x10', '-1', 'NaN', '９'])('%s is not a port', (value) => {
    expect(() => readEnvironment({ SECRET: secret, PORT: value }, table)).toThrow('PORT must be');
  });

  test('is described for --help', () => {
    expect(describeTable(table).split('\n')[0]).toMatch(
      /^ {2}PORT +whole number from 0 to 65535 +\[4000\] +Port of the public API$/,
    );
  });
});

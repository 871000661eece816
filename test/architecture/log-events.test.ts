/** docs/operations/log-events.md against the source: every message that a running process logs, with its levels. */
import { describe, expect, test } from '@jest/globals';
import { logMessages, type LogMessage } from './log-calls.ts';
import { isGenerated, listFiles, readSource, readText, type Source } from './source.ts';

const page = 'docs/operations/log-events.md';

const nameOf = ({ message, level }: LogMessage): string => `${level}: ${message}`;

/** The cells of the rows below the heads `message | level`; other tables are not about messages. */
function rowsOf(text: string): string[][] {
  const tables = text.match(/^(?:\|.*\n)+/gm) ?? [];
  return tables
    .filter((table) => table.startsWith('| message | level |'))
    .flatMap((table) => table.trim().split('\n').slice(2))
    .map((row) =>
      row
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

/** The text of a code span. Two marks enclose a text with marks. */
const codeOf = (cell: string): string => /^(`+) ?(.+?) ?\1$/.exec(cell)?.[2] ?? '';

const documented = (text: string): LogMessage[] =>
  rowsOf(text).flatMap(([message = '', levels = '']) => levels.split(', ').map((level) => ({ message: codeOf(message), level })));

/** The modules of a running process; of commands/, those that `npm start` loads. */
function runningModules(): Source[] {
  const found = new Map<string, Source>();
  function add(path: string): void {
    if (found.has(path) || !/^(main\.ts|commands\/.+\.ts)$/.test(path)) return;
    const source = readSource(path);
    found.set(path, source);
    for (const each of source.imports) if (each.path !== null) add(each.path);
  }
  add('main.ts');
  const folders = ['platform', 'rest-bridge', 'router', 'schema', 'subgraphs', 'wiring'];
  const paths = folders.flatMap((folder) => listFiles(folder)).filter((path) => path.endsWith('.ts') && !isGenerated(path));
  return [...found.values(), ...paths.map((path) => readSource(path))];
}

describe('the inventory of log events', () => {
  const rows = documented(readText(page)).map(nameOf);
  const logged = new Set(runningModules().flatMap((source) => logMessages(source).map(nameOf)));

  test('has a row for every message with its level', () => {
    expect(logged.size).toBeGreaterThan(100);
    expect([...logged].filter((name) => !rows.includes(name))).toEqual([]);
  });

  test('has no message that no module logs', () => {
    expect(rows.filter((name) => !logged.has(name))).toEqual([]);
  });

  test('has one row per message, and no empty cell', () => {
    expect(rows.filter((name, index) => rows.indexOf(name) !== index)).toEqual([]);
    expect(rowsOf(readText(page)).filter((cells) => cells.length !== 5 || cells.includes(''))).toEqual([]);
  });
});

describe('the reader of log calls', () => {
  const read = (text: string): string[] => logMessages(readSource('router/example.ts', text)).map(nameOf);

  test.each([
    [`log.info('stopped')`, ['info: stopped']],
    ['request.log.warn({ name }, `retrying ${name} at ${time} again`)', ['warn: retrying … at … again']],
    [`log?.info({ athletes }, 'demo data loaded')`, ['info: demo data loaded']],
    [`const long = 'a ' + 'b'; app.log.error({ err }, isLong ? long : 'c')`, ['error: a b', 'error: c']],
    [`reply.log[status >= 500 ? 'error' : 'info'](line, 'request')`, ['error: request', 'info: request']],
    [`log.fatal(reason || 'start failed')`, ['fatal: …', 'fatal: start failed']],
    [`logger.warn({ err }, describe(err))`, ['warn: …']],
    [`work.catch(log.error)`, ['error: …']],
    [`log[level]({}, 'computed')`, ['…: computed']],
    [`if (outcome.error === null) console.error(master.info('memory'))`, []],
  ])('reads %s', (text, names) => expect(read(text)).toEqual(names));
});

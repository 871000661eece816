/** The receiver of the examples, and those of the guide: they verify webhooks, and process each event once. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkReceiver } from '../../commands/receiver-check.ts';
import { receiverCode } from '../../commands/receivers.ts';
import { correctStatuses, printedTypes, receiverSecret } from '../../commands/webhook-messages.ts';
import { openInbox } from '../../examples/webhook-receiver/inbox.ts';
import { readText, root } from '../architecture/source.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'receiver-test-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const example = join(root, 'examples/webhook-receiver/main.ts');

describe('the example', () => {
  test('verifies with standardwebhooks, rejects altered, old and unsigned messages, and processes a repeated one once', async () => {
    const command = ['-c', `exec "${process.execPath}" "${example}" --port "$PORT" --file received.sqlite`];
    const { statuses, printed } = await checkReceiver({ program: 'sh', args: command, folder }, printedTypes.length);
    expect(statuses).toEqual(correctStatuses);
    expect(printed.map((line) => JSON.parse(line).type)).toEqual(printedTypes);
  });

  test('processes after a restart what it had acknowledged, and nothing again', async () => {
    const file = join(folder, 'waiting.sqlite');
    const inbox = openInbox(file);
    expect(inbox.add('message-1', JSON.stringify({ type: 'athlete.updated' }))).toBe(true);
    expect(inbox.add('message-1', '{}')).toBe(false);
    inbox.close();
    const command = ['-c', `exec "${process.execPath}" "${example}" --port "$PORT" --file waiting.sqlite`];
    const first = await checkReceiver({ program: 'sh', args: command, folder }, 1 + printedTypes.length);
    expect(first.printed.map((line) => JSON.parse(line).type)).toEqual(['athlete.updated', ...printedTypes]);
    const second = await checkReceiver({ program: 'sh', args: command, folder }, 0);
    expect(second).toEqual({ statuses: correctStatuses, printed: [] });
  });

  test('keeps a message whose processing fails', () => {
    const inbox = openInbox(join(folder, 'failing.sqlite'));
    inbox.add('message-1', '{}');
    expect(() =>
      inbox.process(() => {
        throw new Error('no space');
      }),
    ).toThrow('no space');
    const ids: string[] = [];
    inbox.process(({ id }) => ids.push(id));
    inbox.process(({ id }) => ids.push(id));
    expect(ids).toEqual(['message-1']);
    inbox.close();
  });

  test('has a usage text and rejects calls without a secret', () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [example, ...args], { encoding: 'utf8', env: { PATH: process.env.PATH } });
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: npm run webhook-receiver') });
    expect(run()).toMatchObject({ status: 2 });
    expect(run('--secret', receiverSecret, '--port', 'x')).toMatchObject({ status: 2 });
  });
});

/** `test` when the program is installed, else its `skip`. */
const withProgram = (program: string): typeof test | typeof test.skip =>
  spawnSync(program, ['--help']).error === undefined ? test : test.skip;

describe('the guide', () => {
  const guide = readText('docs/webhook-receivers.md');

  test('has a Node receiver that is correct', async () => {
    writeFileSync(join(folder, 'receiver.mjs'), receiverCode(guide, 'js'));
    const command = { program: process.execPath, args: ['receiver.mjs'], folder };
    expect(await checkReceiver(command, printedTypes.length)).toEqual({ statuses: correctStatuses, printed: printedTypes });
  });

  // `npm run receivers` runs them with their libraries
  withProgram('python3')('has a Python receiver whose syntax is valid', () => {
    const parse = 'import ast, sys; ast.parse(sys.stdin.read())';
    const { status, stderr } = spawnSync('python3', ['-c', parse], { input: receiverCode(guide, 'python'), encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  withProgram('gofmt')('has a Go receiver that is formatted and whose syntax is valid', () => {
    const { status, stdout, stderr } = spawnSync('gofmt', ['-l', '-e'], { input: receiverCode(guide, 'go'), encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
  });

  test.each([
    ['js', 'store(request', 'writeHead(204)'],
    ['python', 'store(self', 'respond(204)'],
    ['go', 'LoadOrStore(', 'StatusNoContent'],
    ['php', '->execute(', 'http_response_code(204)'],
  ])('stores an event before the response in %s', (language, storing, response) => {
    const code = receiverCode(guide, language);
    expect(code).toContain(storing);
    expect(code.indexOf(storing)).toBeLessThan(code.indexOf(response));
  });

  test('has receivers in four languages, each with its library', () => {
    for (const language of ['js', 'python', 'go', 'php']) expect(receiverCode(guide, language)).toMatch(/standard-?webhooks/i);
  });
});

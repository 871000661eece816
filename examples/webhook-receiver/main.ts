/** Receives webhooks: verifies them with the package standardwebhooks, stores each message once, responds, and processes it afterwards. */
// The example is written like a program of a partner, so it reads its environment directly.
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { openInbox, type Message } from './inbox.ts';
import { createReceiver } from './receiver.ts';

const help = `Usage: npm run webhook-receiver -- --secret whsec_… [--port 4010] [--file webhooks.sqlite]

Receives webhooks at http://localhost:4010 and prints each event once. The secret can also be in WEBHOOK_SECRET.
The platform sends webhooks to http only with WEBHOOKS_ALLOW_LOCAL=true, for development.

Exit codes: 0 stopped, 2 invalid usage.`;

/** Prints an event. A real receiver changes its own tables here. */
function handle({ id, body }: Message): void {
  const event: unknown = JSON.parse(body);
  const type = typeof event === 'object' && event !== null && 'type' in event ? event.type : null;
  console.log(JSON.stringify({ id, type, event }));
}

function receive(secret: string, port: number, file: string): void {
  const inbox = openInbox(file);
  const processAll = (): void => {
    try {
      inbox.process(handle);
    } catch (error) {
      // the message stays in the inbox; the next one starts processing again
      console.error(error);
    }
  };
  const server = createReceiver(secret, inbox, () => void setImmediate(processAll));
  // messages of an earlier run that were acknowledged and not processed
  processAll();
  server.listen(port, () => {
    const address = server.address();
    console.error(`listening on port ${typeof address === 'object' && address !== null ? address.port : port}`);
  });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      server.close(() => inbox.close());
      server.closeIdleConnections();
    });
}

function main(args: readonly string[]): number | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      secret: { type: 'string', default: env.WEBHOOK_SECRET ?? '' },
      port: { type: 'string', default: '4010' },
      file: { type: 'string', default: 'webhooks.sqlite' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (values.secret === '' || !/^\d+$/.test(values.port)) {
    console.error(help);
    return 2;
  }
  receive(values.secret, Number(values.port), values.file);
  return undefined;
}

process.exitCode = main(process.argv.slice(2));

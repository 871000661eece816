/** The jest environment: loads shared modules outside of the sandbox of a test file, once per worker. */
import { TestEnvironment } from 'jest-environment-node';

/** The type of the message with which jest asks a worker to end (`CHILD_MESSAGE_END` of jest-worker). */
const endMessage = 2;

// the shared platform keeps connections open, so a worker would not end on its own; `exit` handlers stop child processes
process.on('message', ([type]) => {
  if (type === endMessage) process.exit(0);
});
process.on('SIGTERM', () => process.exit(143));

export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.loadOutside = (url) => import(url);
  }
}

/** The environment of tests: jest's own, and what is loaded outside of its sandbox, once for all files of a worker. */
import { TestEnvironment } from 'jest-environment-node';

export default class Environment extends TestEnvironment {
  async setup() {
    await super.setup();
    this.global.loadOutside = (url) => import(url);
  }
}

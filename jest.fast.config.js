/** `npm run test:fast`: all tests except those that start a browser or further processes. */
import config from './jest.config.js';

const withProcesses = [
  'commands/',
  'dashboard/',
  'stories/operations/',
  'stories/accounts/(administrators|quota)',
  'stories/requests/(error-paths|graph)\\.',
  'examples/(command|interrupted-import|platform-import|season-import|swimming-import|tour-import|worldcup-import)',
  'platform/(embedded-postgres|service|migrate)',
  '(bench|clients|compose-start|readme|evaluation)\\.test',
];

export default { ...config, testPathIgnorePatterns: withProcesses.map((path) => `<rootDir>/test/${path}`) };

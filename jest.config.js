/** Tests run on the type stripping of Node.js, as in production. */
export default {
  testEnvironment: '<rootDir>/test/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/strip-types.js' },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testSequencer: '<rootDir>/test/sequencer.js',
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  reporters: ['default', '<rootDir>/test/closing-reporter.js'],
  // ends tests that hang; machines differ in speed
  testTimeout: 300_000,
  maxWorkers: 2,
  // modules of finished test files stay in the heap; near its limit a worker mostly collects garbage
  workerIdleMemoryLimit: '1.5GB',
  modulePathIgnorePatterns: ['<rootDir>/.data'],
};

/** Tests run on the same type stripping as production: no compiler in between. */
export default {
  testEnvironment: '<rootDir>/test/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/strip-types.js' },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  globalSetup: '<rootDir>/test/global-setup.js',
  globalTeardown: '<rootDir>/test/global-teardown.js',
  testTimeout: 60_000,
  maxWorkers: 2,
  // what files load stays in a worker's heap; near its limit a worker does little but collect garbage
  workerIdleMemoryLimit: '1GB',
  modulePathIgnorePatterns: ['<rootDir>/.data'],
};

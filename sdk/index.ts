/** The entry of the package. */
export { createTalentClient, type ClientOptions, type TalentClient } from './client.ts';
export { hasCode, HttpError, ProblemError, type Problem, type ProblemCode } from './errors.ts';
export { type Change, type ChangesPath, type SynchronizationPosition } from './changes.ts';
export { type Item, type ListPath, type ListQuery } from './lists.ts';
export type { RetryOptions } from './retry.ts';
export type { components, operations, paths } from './generated/api.ts';

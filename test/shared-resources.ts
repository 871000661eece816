/** Resources that all test files of a process share, such as a platform or a browser. */

type Global = typeof globalThis & { sharedResources?: (() => Promise<void>)[] };

/** Registers what test/global-teardown.js calls after a run without workers. The resources of a jest worker end with its process. */
export function closeAfterRun(close: () => Promise<void>): void {
  ((globalThis as Global).sharedResources ??= []).push(close);
}

/**
 * Modules outside of the module registry that jest resets for each file: loaded once per worker, like in a long-running
 * process.
 */

/** Set by test/environment.js. */
type Global = typeof globalThis & { readonly loadOutside: (url: string) => Promise<unknown> };

/**
 * Loads a project file by its path from the root. Its objects have the prototypes of another realm, so use only its
 * functions and plain data.
 */
export async function outside<Module>(path: string): Promise<Module> {
  return (await (globalThis as Global).loadOutside(new URL(`../${path}`, import.meta.url).href)) as Module;
}

/** Modules outside of what jest makes anew for each file: loaded once by each of its workers, as a process that serves many loads them. */

/** As test/environment.js gives it. */
type Global = typeof globalThis & { readonly loadOutside: (url: string) => Promise<unknown> };

/** Loads a file of ours, named from the root. What it makes has the prototypes of another realm: keep to its functions and plain data. */
export async function outside<Module>(path: string): Promise<Module> {
  return (await (globalThis as Global).loadOutside(new URL(`../${path}`, import.meta.url).href)) as Module;
}

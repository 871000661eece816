/** Remembers the path to return to after a sign-in with the identity provider, which redirects to the first screen. */
const storageKey = 'back';

export function storeReturnPath(path: string | undefined): void {
  if (path === undefined) window.sessionStorage.removeItem(storageKey);
  else window.sessionStorage.setItem(storageKey, path);
}

/** Reads and removes the stored path; null without one. */
export function takeReturnPath(): string | null {
  const path = window.sessionStorage.getItem(storageKey);
  window.sessionStorage.removeItem(storageKey);
  return path;
}

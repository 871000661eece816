/** Where one was before the provider's pages, which come back to the first screen. */
const name = 'back';

export function keepBack(back: string | undefined): void {
  if (back === undefined) window.sessionStorage.removeItem(name);
  else window.sessionStorage.setItem(name, back);
}

/** Once; null when one was nowhere. */
export function takeBack(): string | null {
  const back = window.sessionStorage.getItem(name);
  window.sessionStorage.removeItem(name);
  return back;
}

/** Prints in the light color scheme, also when the page is dark. */

const attribute = 'data-mantine-color-scheme';

export function printInLight(): void {
  let scheme: string | null = null;
  window.matchMedia('print').addEventListener('change', ({ matches: isPrinting }) => {
    const root = document.documentElement;
    if (isPrinting) {
      scheme = root.getAttribute(attribute);
      root.setAttribute(attribute, 'light');
    } else if (scheme !== null) root.setAttribute(attribute, scheme);
  });
}

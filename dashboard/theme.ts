/** How everything looks: one accent, the fonts of the system, dense but readable. */
import { createTheme, type CSSVariablesResolver } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: { fontWeight: '600', sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1.0625rem' } } },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
});

/** What Mantine's own palette leaves below the contrast of 4.5 that WCAG asks of text. */
export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-dimmed': '#5b636b', '--mantine-color-placeholder': '#69717a', '--mantine-color-error': '#c92a2a' },
  dark: { '--mantine-color-dimmed': '#a6abb3', '--mantine-color-placeholder': '#9aa0a8', '--mantine-color-error': '#ff8787' },
});

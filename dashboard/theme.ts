/** The Mantine theme: one accent color, system fonts, compact sizes, and accessible names for built-in buttons. */
import {
  createTheme,
  Drawer,
  DrawerHeader,
  Modal,
  ModalHeader,
  Notification,
  PasswordInput,
  type CSSVariablesResolver,
} from '@mantine/core';

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
  components: {
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    // a `header` element in a dialog would count as a second page banner
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'presentation' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    PasswordInput: PasswordInput.extend({
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show password', tabIndex: 0 } },
    }),
  },
});

/** Text colors with a contrast of at least 4.5 (WCAG AA) on white and on their own tint. Mantine's shades are below that. */
const textOnLight = {
  red: '#b02525',
  orange: '#9c3a06',
  yellow: '#7a5200',
  green: '#1f6b2c',
  teal: '#066649',
  blue: '#155a9c',
  gray: '#343a40',
} as const;

const readable = Object.fromEntries(
  Object.entries(textOnLight).flatMap(([color, text]) =>
    ['light-color', 'outline', 'text'].map((variant) => [`--mantine-color-${color}-${variant}`, text]),
  ),
);

export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...readable,
    '--mantine-color-dimmed': '#5b636b',
    '--mantine-color-placeholder': '#69717a',
    '--mantine-color-error': textOnLight.red,
    // background of buttons with white text
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': textOnLight.red,
    // background of the current item of the navigation under the pointer
    '--mantine-color-indigo-light-hover': '#d0dbff',
    // background of rows with links
    '--row-hover': '#f8f9fa',
    // background of the active result of the command palette
    '--palette-active': '#e7ebf7',
  },
  dark: {
    '--mantine-color-dimmed': '#a6abb3',
    '--mantine-color-placeholder': '#9aa0a8',
    '--mantine-color-error': '#ff8787',
    '--row-hover': '#2a2a2a',
    '--palette-active': '#3a3f52',
  },
});

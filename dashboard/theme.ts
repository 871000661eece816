/** How everything looks: one accent, the fonts of the system, dense but readable; and the names of the buttons that the library adds. */
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
    // a `header` inside of a dialog would be a second banner of the page
    ModalHeader: ModalHeader.extend({ defaultProps: { role: 'presentation' } }),
    DrawerHeader: DrawerHeader.extend({ defaultProps: { role: 'presentation' } }),
    Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } }),
    PasswordInput: PasswordInput.extend({
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show the password', tabIndex: 0 } },
    }),
  },
});

/** Text in a colour on white or on its own tint: the library's shades stay below the contrast of 4.5 that WCAG asks. */
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
    ['light-color', 'outline', 'text'].map((use) => [`--mantine-color-${color}-${use}`, text]),
  ),
);

export const readableColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...readable,
    '--mantine-color-dimmed': '#5b636b',
    '--mantine-color-placeholder': '#69717a',
    '--mantine-color-error': textOnLight.red,
    // below the white text of buttons
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': textOnLight.red,
    // below links
    '--row-hover': '#f8f9fa',
  },
  dark: {
    '--mantine-color-dimmed': '#a6abb3',
    '--mantine-color-placeholder': '#9aa0a8',
    '--mantine-color-error': '#ff8787',
    '--row-hover': '#2a2a2a',
  },
});

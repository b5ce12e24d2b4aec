import {
  type Badge,
  type Button,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type Modal,
  type PasswordInput,
  type Select,
  type Table,
  type TextInput,
  type Tooltip,
} from '@mantine/core';

/**
 * The theme settings of a component. Mantine's `Select.extend({…})` returns its argument unchanged, but importing it
 * would put every themed component and its dependencies into the first chunk.
 */
type Extension<C extends { extend: (extension: never) => unknown }> = Parameters<C['extend']>[0];

/**
 * Filled and light elements use shade 8. It is darker here than in Mantine's own tuples, so that text on it, and text
 * in it on its own tint, has a contrast of at least 4.5.
 */
const green: MantineColorsTuple = [
  '#ebfbee',
  '#d3f9d8',
  '#b2f2bb',
  '#8ce99a',
  '#69db7c',
  '#51cf66',
  '#2f9e44',
  '#237a34',
  '#1d6a2d',
  '#155223',
];
const yellow: MantineColorsTuple = [
  '#fff9db',
  '#fff3bf',
  '#ffec99',
  '#ffe066',
  '#ffd43b',
  '#f0b400',
  '#b87800',
  '#946000',
  '#7d5000',
  '#5f3d00',
];
const red: MantineColorsTuple = [
  '#fff5f5',
  '#ffe3e3',
  '#ffc9c9',
  '#ffa8a8',
  '#ff8787',
  '#ff6b6b',
  '#e03131',
  '#c92a2a',
  '#b32222',
  '#8f1a1a',
];
const blue: MantineColorsTuple = [
  '#e7f5ff',
  '#d0ebff',
  '#a5d8ff',
  '#74c0fc',
  '#4dabf7',
  '#339af0',
  '#1c7ed6',
  '#1868b0',
  '#15599a',
  '#0f4478',
];

/** Cooler grays than Mantine's; the surfaces below use the same grays. */
const dark: MantineColorsTuple = [
  '#dfe2e6',
  '#b8bec7',
  '#8d949e',
  '#6b727d',
  '#3a404a',
  '#2e333b',
  '#23272e',
  '#16181c',
  '#121417',
  '#0e1013',
];

/** The single source of colors, sizes and shadows. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  colors: { dark, green, yellow, red, blue },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  headings: {
    fontFamily: "'Inter Variable', system-ui, sans-serif",
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '2rem' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.375rem' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '8px', xl: '9999px' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  components: {
    Badge: {
      defaultProps: { size: 'lg', radius: 'sm' },
      // Never truncate the word: color alone does not convey the status.
      styles: {
        root: { flex: 'none', minWidth: 'max-content', fontWeight: 500, fontSize: '0.75rem' },
        label: { overflow: 'visible' },
      },
    } satisfies Extension<typeof Badge>,
    Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 500 } } } satisfies Extension<
      typeof Button
    >,
    Modal: {
      // Without this, screen readers find a second banner landmark.
      defaultProps: {
        centered: true,
        attributes: { header: { role: 'presentation' } },
        closeButtonProps: { 'aria-label': 'Close' },
        transitionProps: { duration: 120 },
      },
      styles: {
        title: {
          fontSize: 'var(--mantine-h2-font-size)',
          lineHeight: 'var(--mantine-h2-line-height)',
          fontWeight: 600,
        },
      },
    } satisfies Extension<typeof Modal>,
    PasswordInput: { defaultProps: { size: 'md' } } satisfies Extension<typeof PasswordInput>,
    Select: { defaultProps: { size: 'sm', allowDeselect: false } } satisfies Extension<typeof Select>,
    Table: { defaultProps: { verticalSpacing: 6, horizontalSpacing: 'sm' } } satisfies Extension<
      typeof Table
    >,
    TextInput: { defaultProps: { size: 'sm' } } satisfies Extension<typeof TextInput>,
    Tooltip: { defaultProps: { transitionProps: { duration: 100 } } } satisfies Extension<typeof Tooltip>,
  },
});

/** Our own variables, and Mantine's that need more contrast, for both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--sidebar-width': '13.5rem',
    '--header-height': '3.25rem',
    '--form-width-max': '720px',
    '--surface-veil': 'rgb(0 0 0 / 0.6)',
  },
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6b7278',
    '--mantine-color-error': '#b32222',
    '--surface-page': '#fbfbfc',
    '--surface-raised': '#ffffff',
    '--surface-quiet': '#f4f5f7',
    '--surface-selected': '#edf2ff',
    '--text-selected': '#364fc7',
    '--text-good': '#1d6a2d',
    '--text-warning': '#7d5000',
    '--text-bad': '#b32222',
  },
  dark: {
    '--mantine-color-dimmed': '#a6acb5',
    '--mantine-color-placeholder': '#8d949e',
    '--mantine-color-error': '#ff8787',
    '--surface-page': '#16181c',
    '--surface-raised': '#1d2025',
    '--surface-quiet': '#22262c',
    '--surface-selected': '#262d4d',
    '--text-selected': '#bac8ff',
    '--text-good': '#8ce99a',
    '--text-warning': '#ffd43b',
    '--text-bad': '#ffa8a8',
  },
});

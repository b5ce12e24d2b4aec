import {
  type Alert,
  type Badge,
  type Button,
  type CSSVariablesResolver,
  createTheme,
  type Drawer,
  defaultVariantColorsResolver,
  type Input,
  type MantineColorsTuple,
  type Modal,
  type PasswordInput,
  type Select,
  type Switch,
  type TextInput,
  type Tooltip,
  type VariantColorsResolver,
} from '@mantine/core';

/**
 * Theme settings of a component. They equal the argument of Mantine's `Select.extend({…})`, whose import would put
 * every themed component into the first chunk.
 */
type Extension<C extends { extend: (extension: never) => unknown }> = Parameters<C['extend']>[0];

const palette = (shades: string) => shades.split(' ') as unknown as MantineColorsTuple;

/** Ink teal: shade 8 is the accent in light mode, shade 4 in dark mode. */
const teal = palette('#e8f6f8 #d3eef2 #abe1e9 #8be0ec #66d9e8 #2bb3c5 #15899b #0f7383 #0c6170 #094b57');

/**
 * Shade 8 is the fill color. It is darker than Mantine's, so that text on the fill color and text of this color on its
 * light tint both have a contrast of at least 4.5.
 */
const green = palette('#ebfbee #d3f9d8 #b2f2bb #8ce99a #69db7c #51cf66 #2f9e44 #237a34 #1d6a2d #155223');
const yellow = palette('#fff9db #fff3bf #ffec99 #ffe066 #ffd43b #f0b400 #b87800 #946000 #7d5000 #5f3d00');
const red = palette('#fff5f5 #ffe3e3 #ffc9c9 #ffa8a8 #ff8787 #ff6b6b #e03131 #c92a2a #b32222 #8f1a1a');
const blue = palette('#e7f5ff #d0ebff #a5d8ff #74c0fc #4dabf7 #339af0 #1c7ed6 #1868b0 #15599a #0f4478');

/** Grays that are cooler than Mantine's. Shade 7 is the page, 6 a surface above the page, and 4 a border. */
const dark = palette('#dfe2e6 #b8bec7 #8d949e #6b727d #343a44 #2e333b #262a31 #16181c #121417 #0e1013');

const shadeInLight = 8;
const shadeInDark = 4;

/** In dark mode, fill colors are bright, so the text on them is dark. */
const variantColors: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  return input.variant === 'filled' ? { ...colors, color: 'var(--text-on-filled)' } : colors;
};

const fontFamily = "'Inter Variable', system-ui, sans-serif";

/** Without the role `presentation`, the header of each dialog would be another banner landmark for screen readers. */
const overlayProps = {
  attributes: { header: { role: 'presentation' } },
  closeButtonProps: { 'aria-label': 'Close' },
  transitionProps: { duration: 120 },
};

export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: shadeInLight, dark: shadeInDark },
  colors: { teal, dark, green, yellow, red, blue },
  variantColorResolver: variantColors,
  fontFamily,
  headings: {
    fontFamily,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.75rem' },
      h2: { fontSize: '1rem', lineHeight: '1.5rem' },
      h3: { fontSize: '0.875rem', lineHeight: '1.25rem' },
    },
  },
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.5rem', sm: '0.75rem', md: '1rem', lg: '1.5rem', xl: '2rem' },
  radius: { xs: '4px', sm: '6px', md: '6px', lg: '6px', xl: '9999px' },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  components: {
    Alert: {
      // Only the edge and the icon are colored, because a filled block would draw more attention than its text.
      styles: {
        root: {
          background: 'var(--surface-raised)',
          border: '1px solid var(--mantine-color-default-border)',
          boxShadow: 'inset 3px 0 0 var(--alert-color)',
        },
      },
    } satisfies Extension<typeof Alert>,
    Badge: {
      defaultProps: { size: 'lg', radius: 'sm' },
      // Badges are never truncated, because their color alone would not convey the status.
      styles: {
        root: { flex: 'none', minWidth: 'max-content', fontWeight: 500, fontSize: '0.75rem' },
        label: { overflow: 'visible' },
      },
    } satisfies Extension<typeof Badge>,
    Button: { defaultProps: { size: 'sm' }, styles: { root: { fontWeight: 500 } } } satisfies Extension<
      typeof Button
    >,
    Drawer: {
      defaultProps: overlayProps,
      styles: {
        header: { background: 'var(--surface-overlay)' },
        content: { background: 'var(--surface-overlay)' },
      },
    } satisfies Extension<typeof Drawer>,
    InputWrapper: {
      styles: { label: { marginBottom: 4 }, description: { fontSize: 'var(--mantine-font-size-xs)' } },
    } satisfies Extension<typeof Input.Wrapper>,
    Modal: {
      defaultProps: { ...overlayProps, centered: true },
      styles: {
        header: { background: 'var(--surface-overlay)' },
        content: { background: 'var(--surface-overlay)' },
        title: {
          fontSize: 'var(--mantine-h2-font-size)',
          lineHeight: 'var(--mantine-h2-line-height)',
          fontWeight: 600,
        },
      },
    } satisfies Extension<typeof Modal>,
    PasswordInput: { defaultProps: { size: 'sm' } } satisfies Extension<typeof PasswordInput>,
    Select: { defaultProps: { size: 'sm', allowDeselect: false } } satisfies Extension<typeof Select>,
    Switch: {
      styles: { description: { fontSize: 'var(--mantine-font-size-xs)' } },
    } satisfies Extension<typeof Switch>,
    TextInput: { defaultProps: { size: 'sm' } } satisfies Extension<typeof TextInput>,
    Tooltip: { defaultProps: { transitionProps: { duration: 100 } } } satisfies Extension<typeof Tooltip>,
  },
});

const tinted = { teal, green, yellow, red, blue };

/** Returns a color's variables in dark mode. Mantine's own tints are almost gray and have white text. */
function darkVariables(name: string, shades: MantineColorsTuple): Record<string, string> {
  const tint = (percent: number) => `color-mix(in srgb, ${shades[5]} ${percent}%, transparent)`;
  return {
    [`--mantine-color-${name}-filled-hover`]: shades[3],
    [`--mantine-color-${name}-light`]: tint(16),
    [`--mantine-color-${name}-light-hover`]: tint(24),
    [`--mantine-color-${name}-light-color`]: shades[3],
    [`--mantine-color-${name}-outline`]: shades[4],
    [`--mantine-color-${name}-outline-hover`]: tint(8),
  };
}

/** Adds our variables, and replaces Mantine's where the contrast is too low. */
export const resolveCssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--sidebar-width': '13.5rem',
    '--header-height': '3rem',
    '--form-width-max': '720px',
    '--surface-veil': 'rgb(0 0 0 / 0.6)',
  },
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6b7278',
    '--mantine-color-error': '#b32222',
    '--mantine-color-default-border': '#d5d9df',
    '--row-border': '#dee2e6',
    '--row-hover': '#f1f3f5',
    '--surface-page': '#fbfbfc',
    '--surface-raised': '#ffffff',
    '--surface-overlay': '#ffffff',
    '--surface-quiet': '#f4f5f7',
    '--surface-selected': teal[0],
    '--text-selected': teal[8],
    '--text-on-filled': '#ffffff',
    '--text-good': '#1d6a2d',
    '--text-warning': '#7d5000',
    '--text-bad': '#b32222',
    '--brand-ground': teal[8],
    '--brand-ink': '#ffffff',
  },
  dark: {
    ...Object.assign({}, ...Object.entries(tinted).map(([name, shades]) => darkVariables(name, shades))),
    '--mantine-color-dimmed': '#a6acb5',
    '--mantine-color-placeholder': '#8d949e',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-anchor': teal[3],
    '--mantine-color-default': '#1d2025',
    '--mantine-color-default-hover': 'rgb(255 255 255 / 0.06)',
    '--mantine-color-default-border': dark[4],
    '--mantine-color-gray-light': 'rgb(255 255 255 / 0.08)',
    '--mantine-color-gray-light-hover': 'rgb(255 255 255 / 0.06)',
    '--mantine-color-gray-light-color': '#c9ced6',
    '--row-border': dark[4],
    '--row-hover': 'rgb(255 255 255 / 0.04)',
    '--surface-page': dark[7],
    '--surface-raised': '#1d2025',
    '--surface-overlay': dark[6],
    '--surface-quiet': '#1a1d21',
    '--surface-selected': `color-mix(in srgb, ${teal[5]} 16%, transparent)`,
    '--text-selected': teal[3],
    '--text-on-filled': '#0b1a1d',
    '--text-good': '#8ce99a',
    '--text-warning': '#ffd43b',
    '--text-bad': '#ffa8a8',
    '--brand-ground': teal[4],
    '--brand-ink': '#0b1a1d',
  },
});

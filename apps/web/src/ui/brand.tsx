import { Text, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { IconButton } from './basics.tsx';
import classes from './brand.module.css';

export const brandName = 'Draftshelf';

export const BrandMark = ({ size = 24 }: { size?: number }) => (
  <svg className={`${classes.mark} rigid`} viewBox="0 0 32 32" width={size} height={size} aria-hidden>
    <rect width="32" height="32" rx="7" />
    <path d="M6 24h20M9 20V9h4v11zM15 20v-8h3v8zM20.500 20.500l-1.300-9.500 3.400-.5 1.300 9.500z" />
  </svg>
);

export const Brand = () => (
  <div className="row">
    <BrandMark />
    <Text fw={650} size="lg">
      {brandName}
    </Text>
  </div>
);

/** A picture of two partly filled shelves, for empty screens. */
export const ShelfPicture = () => (
  <svg
    className={`${classes.shelf} rigid at-most-full`}
    viewBox="0 0 160 88"
    width={160}
    height={88}
    aria-hidden
  >
    <path className={classes.board} d="M4 40h152M4 84h152" />
    <rect className={classes.full} x="14" y="14" width="22" height="24" rx="2" />
    <rect className={classes.half} x="42" y="6" width="14" height="32" rx="2" />
    <rect className={classes.open} x="62" y="20" width="28" height="18" rx="2" />
    <rect className={classes.open} x="112" y="10" width="18" height="28" rx="2" />
    <rect className={classes.half} x="22" y="58" width="30" height="24" rx="2" />
    <rect className={classes.open} x="62" y="50" width="16" height="32" rx="2" />
    <rect className={classes.full} x="108" y="62" width="34" height="20" rx="2" />
  </svg>
);

export const EmptyState = ({ children }: { children: ReactNode }) => (
  <div className={`${classes.empty} stack center gap-lg`}>
    <ShelfPicture />
    <div className={`${classes.emptyText} centered`}>{children}</div>
  </div>
);

/** Switches between light and dark mode. The tooltip is native, because Mantine's would add 30 kB to the login. */
export function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const computed = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = computed === 'dark' ? 'light' : 'dark';
  const words = `Switch to ${other} mode`;
  return (
    <IconButton
      icon={computed === 'dark' ? IconSun : IconMoon}
      iconStroke={1.5}
      size="lg"
      label={words}
      title={words}
      onClick={() => setColorScheme(other)}
    />
  );
}

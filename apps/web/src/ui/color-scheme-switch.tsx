import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { IconButton } from './button.tsx';

/** The default is the system's setting. The tooltip is native: Mantine's would add 30 kB to the login. */
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

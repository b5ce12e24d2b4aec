import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { ActionIcon } from './button.tsx';

/** The default is the system's setting. The tooltip is native: Mantine's would add 30 kB to the login. */
export function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const computed = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = computed === 'dark' ? 'light' : 'dark';
  const words = `Switch to ${other} mode`;
  const Icon = computed === 'dark' ? IconSun : IconMoon;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={words}
      title={words}
      onClick={() => setColorScheme(other)}
    >
      <Icon size={16} stroke={1.5} aria-hidden />
    </ActionIcon>
  );
}

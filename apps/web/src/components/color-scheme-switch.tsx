import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { tooltipDelayMs } from './help/help-tip.tsx';

/** Switches between light and dark. The default is the system's setting. */
export function ColorSchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const computed = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = computed === 'dark' ? 'light' : 'dark';
  const words = `Switch to ${other} mode`;
  return (
    <Tooltip label={words} openDelay={tooltipDelayMs}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={words}
        onClick={() => setColorScheme(other)}
      >
        {computed === 'dark' ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

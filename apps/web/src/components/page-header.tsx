import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './page-header.module.css';

type PageHeaderProps = {
  title: string;
  subtitle?: ReactNode;
  /** Shown above the title: a link back. */
  above?: ReactNode;
  /** The screen's actions. On phones they are fixed to the bottom. */
  children?: ReactNode;
};

/** The title of a screen, with its actions at the right. */
export function PageHeader({ title, subtitle, above, children }: PageHeaderProps) {
  return (
    <Stack gap={4} className={classes.header}>
      {above}
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="lg">
        <Stack gap={2} miw={0}>
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {subtitle !== undefined && (
            <Text component="div" c="dimmed">
              {subtitle}
            </Text>
          )}
        </Stack>
        {children !== undefined && <div className={classes.actions}>{children}</div>}
      </Group>
    </Stack>
  );
}

import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type TitledSectionProps = {
  /** Of the heading, which names the section. */
  id: string;
  title: string;
  children: ReactNode;
};

/** A section of a screen below its heading, which gets the focus when a control of it has gone. */
export const TitledSection = ({ id, title, children }: TitledSectionProps) => (
  <Stack component="section" gap="sm" aria-labelledby={id}>
    <Title order={2} id={id} tabIndex={-1}>
      {title}
    </Title>
    {children}
  </Stack>
);

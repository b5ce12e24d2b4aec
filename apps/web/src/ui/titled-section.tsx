import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type TitledSectionProps = {
  id: string;
  title: string;
  children: ReactNode;
};

export const TitledSection = ({ id, title, children }: TitledSectionProps) => (
  <Stack component="section" gap="sm" aria-labelledby={id}>
    <Title order={2} id={id} tabIndex={-1}>
      {title}
    </Title>
    {children}
  </Stack>
);

import { Stack, type StackProps, Title, type TitleOrder } from '@mantine/core';
import type { ReactNode } from 'react';
import { HelpTip, type HelpTopic } from './hint.tsx';

type TitledSectionProps = Omit<StackProps, 'title'> & {
  id: string;
  title: ReactNode;
  order?: TitleOrder;
  help?: HelpTopic;
  headClass?: string | undefined;
  'data-focus-next'?: string;
  children: ReactNode;
};

export const TitledSection = ({
  id,
  title,
  order = 2,
  help,
  headClass = '',
  children,
  ...stack
}: TitledSectionProps) => (
  <Stack component="section" gap="sm" miw={0} aria-labelledby={id} {...stack}>
    <Title order={order} id={id} tabIndex={-1} className={headClass}>
      {title} {help && <HelpTip topic={help} />}
    </Title>
    {children}
  </Stack>
);

import { Stack } from '@mantine/core';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { AiServiceCard } from './ai-service-card.tsx';

/** The AI service below its switch, folded at first: few visits need it. */
export function AiFold() {
  const [isOpen, setOpen] = useState(false);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        px={0}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide AI Service' : 'AI Service'}
      </Button>
      {isOpen && <AiServiceCard />}
    </Stack>
  );
}

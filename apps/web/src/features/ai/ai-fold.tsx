import { Loader, Stack } from '@mantine/core';
import { Suspense, useState } from 'react';
import { lazily } from '../../lib/load-chunk.ts';
import { Button } from '../../ui/button.tsx';

const AiServiceCard = lazily(() => import('./ai-service-card.tsx').then((chunk) => chunk.AiServiceCard));

/** The AI service below its switch, folded at first: few visits need it. */
export function AiFold() {
  const [open, setOpen] = useState(false);
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        px={0}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? 'Hide AI Service' : 'AI Service'}
      </Button>
      {open && (
        <Suspense fallback={<Loader size="sm" />}>
          <AiServiceCard />
        </Suspense>
      )}
    </Stack>
  );
}

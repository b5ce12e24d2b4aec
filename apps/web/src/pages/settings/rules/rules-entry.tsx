import { Group, Stack, Text, Title } from '@mantine/core';
import { Suspense, useState } from 'react';
import { Button } from '../../../components/button.tsx';
import { lazily } from '../../../lib/load-chunk.ts';

const RulesEditor = lazily(() => import('./rules-editor.tsx').then((chunk) => chunk.RulesEditor));

/** Opens the rules, which load then. */
export function RulesEntry() {
  const [state, setState] = useState<'unloaded' | 'open' | 'closed'>('unloaded');
  return (
    <Stack component="section" gap={4} aria-labelledby="rules">
      <Title order={2} id="rules">
        Rules
      </Title>
      <Text size="sm" c="dimmed">
        Set type, collections and tags of products by their words, in every import.
      </Text>
      <Group>
        <Button variant="default" onClick={() => setState('open')}>
          Edit Rules
        </Button>
      </Group>
      {state !== 'unloaded' && (
        <Suspense fallback={null}>
          <RulesEditor opened={state === 'open'} onClose={() => setState('closed')} />
        </Suspense>
      )}
    </Stack>
  );
}

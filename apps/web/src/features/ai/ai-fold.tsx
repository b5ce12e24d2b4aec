import type { AiState } from '@draftshelf/contract/enrich/ai';
import { privacyText } from '@draftshelf/domain/enrich/ai/privacy-text';
import { Badge, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readOf } from '../../api/read.ts';
import { countOf } from '../../lib/intl.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { Read } from '../../ui/feedback/read.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useCall } from '../../ui/feedback/use-call.ts';
import { moneyWords } from '../import/index.ts';
import { AiAddressForm, AiLimitsForm, AiTextsForm } from './ai-forms.tsx';

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

/** The AI service: where it is, what it may cost, what it took today, and what leaves the machine for it. */
function AiServiceCard() {
  return (
    <Read of={useQuery(readOf('readAi'))} what="the AI service" meanwhile={<Loader size="sm" />}>
      {(ai) => (
        <Paper withBorder p="md" w="100%" component="section" aria-label="AI service">
          <Stack gap="md">
            <Summary ai={ai} />
            {ai.lockedBecause === null ? (
              <AiAddressForm ai={ai} />
            ) : (
              <Text size="sm">{ai.lockedBecause}</Text>
            )}
            <AiLimitsForm ai={ai} />
            <AiTextsForm ai={ai} />
            <Text size="sm" c="dimmed">
              {privacyText({
                host: ai.host ?? 'the AI service',
                model: ai.model ?? 'of your choice',
              }).join(' ')}
            </Text>
          </Stack>
        </Paper>
      )}
    </Read>
  );
}

const colors: Record<AiState['state'], string> = {
  ok: 'green',
  waiting: 'yellow',
  trouble: 'red',
  off: 'gray',
};
const words: Record<AiState['state'], string> = {
  ok: 'Ready',
  waiting: 'Waiting',
  trouble: 'Needs you',
  off: 'Not set up',
};
function Summary({ ai }: { ai: AiState }) {
  const { today, prices } = ai;
  const cost = today.cost === null || prices === null ? null : moneyWords(today.cost, prices.currency);
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Badge color={colors[ai.state]} variant="light" tt="none">
          {words[ai.state]}
        </Badge>
        {ai.simulated && (
          <Badge color="gray" variant="light" tt="none">
            Simulated
          </Badge>
        )}
        {ai.host !== null && (
          <Text size="sm">{`Proposals come from the model ${ai.model} at ${ai.host}.`}</Text>
        )}
      </Group>
      <Text size="sm">{ai.sentence}</Text>
      {today.requests > 0 && (
        <Text size="sm" c="dimmed">
          Last 24 hours:{' '}
          {[countOf(today.requests, 'request'), countOf(today.tokens, 'token'), cost ?? []]
            .flat()
            .join(' · ')}
        </Text>
      )}
      {ai.configured && <Actions ai={ai} />}
    </Stack>
  );
}

function Actions({ ai }: { ai: AiState }) {
  const test = useCall('testAi');
  const removal = useCall('removeAiKey');
  const toast = useToast();
  return (
    <>
      <Group>
        <Button
          variant="default"
          loading={test.isPending}
          onClick={() =>
            test.mutate(
              {},
              {
                onSuccess: ({ success, message }) =>
                  success && toast({ title: 'AI service answers', text: message }),
              },
            )
          }
        >
          Test
        </Button>
        {ai.keySaved && (
          <Button
            variant="default"
            loading={removal.isPending}
            onClick={() =>
              removal.mutate(
                {},
                {
                  onSuccess: ({ message }) => toast({ title: 'Key removed', text: message }),
                },
              )
            }
          >
            Remove Key
          </Button>
        )}
      </Group>
      {test.data?.success === false && <ErrorPanel title={test.data.message} />}
      {test.isError && <ErrorPanel title="Couldn’t test the AI service." cause={test.error.message} />}
      {removal.isError && <ErrorPanel title="Couldn’t remove the key." cause={removal.error.message} />}
    </>
  );
}

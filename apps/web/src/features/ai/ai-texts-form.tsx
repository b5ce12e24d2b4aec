import type { AiState } from '@draftshelf/contract/enrich/ai';
import { Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useAiSave } from './ai-api.ts';

/** Wishes for proposed texts. Products that were asked about with other wishes are asked about again. */
export function AiTextsForm({ ai }: { ai: AiState }) {
  const [language, setLanguage] = useState(ai.language ?? '');
  const [tone, setTone] = useState(ai.tone ?? '');
  const save = useAiSave();
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { language: language.trim(), tone: tone.trim() },
      { onSuccess: ({ message }) => toast({ title: 'Wishes for Texts Saved', text: message }) },
    );
  };
  const failure = save.error instanceof CallError ? save.error.serverMessage : null;
  return (
    <form onSubmit={submit} noValidate aria-label="Wishes for texts">
      <Stack gap="sm">
        <Group gap="sm" align="flex-start">
          <TextInput
            label="Language of texts"
            description="Where a product has too few words to tell its language."
            placeholder="German"
            value={language}
            maxLength={500}
            style={{ flex: '1 1 12rem' }}
            onChange={(event) => setLanguage(event.currentTarget.value)}
          />
          <TextInput
            label="Style of descriptions"
            description="Facts are checked in any style."
            placeholder="Short and plain"
            value={tone}
            maxLength={500}
            style={{ flex: '1 1 12rem' }}
            onChange={(event) => setTone(event.currentTarget.value)}
          />
        </Group>
        {save.isError && (
          <ErrorPanel title={failure ?? 'Couldn’t save the wishes.'} cause={save.error.message} />
        )}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            Save Wishes
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

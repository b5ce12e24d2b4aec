import type { AiState } from '@draftshelf/contract/enrich/ai';
import { Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CallError } from '../../api/call.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { useAiSave } from './ai-api.ts';

/** Address, model and key. They are tested before they are saved, and the key is never shown again. */
export function AiAddressForm({ ai }: { ai: AiState }) {
  const saved = ai.source === 'saved' ? ai : null;
  const [baseUrl, setBaseUrl] = useState(saved?.baseUrl ?? '');
  const [model, setModel] = useState(saved?.model ?? '');
  const [key, setKey] = useState('');
  const [isChecked, setIsChecked] = useState(false);
  const save = useAiSave();
  const toast = useToast();
  const isMissing = (text: string) => isChecked && text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (baseUrl.trim() === '' || model.trim() === '') return;
    const entered = { baseUrl: baseUrl.trim(), model: model.trim() };
    save.mutate(key.trim() === '' ? entered : { ...entered, key: key.trim() }, {
      onSuccess: ({ ok, message }) => {
        if (!ok) return;
        setKey('');
        toast({ title: 'AI Service Saved', text: message });
      },
    });
  };
  const refused = save.data?.ok === false ? save.data.message : null;
  const failure = save.error instanceof CallError ? save.error.serverMessage : null;
  return (
    <form onSubmit={submit} noValidate aria-label="AI service">
      <Stack gap="sm">
        <TextInput
          label="Address"
          description="Where the service answers, up to its version, like https://api.openai.com/v1. The service must understand requests in the form of OpenAI’s chat completions."
          value={baseUrl}
          maxLength={500}
          error={isMissing(baseUrl) ? 'Enter the address.' : undefined}
          onChange={(event) => setBaseUrl(event.currentTarget.value)}
        />
        <TextInput
          label="Model"
          value={model}
          maxLength={500}
          error={isMissing(model) ? 'Enter the model.' : undefined}
          onChange={(event) => setModel(event.currentTarget.value)}
        />
        <PasswordInput
          label="Key"
          description={
            ai.keySaved ? 'A key is saved. Leave this empty to keep it.' : 'If the service needs one.'
          }
          value={key}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {refused !== null && <ErrorPanel title={refused}>Nothing was saved.</ErrorPanel>}
        {save.isError && (
          <ErrorPanel title={failure ?? 'Couldn’t save the AI service.'} cause={save.error.message}>
            Nothing was saved.
          </ErrorPanel>
        )}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            Test and Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

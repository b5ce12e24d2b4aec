import type { AiState } from '@draftshelf/contract/enrich/ai';
import { enteredCharsMax } from '@draftshelf/contract/wire';
import { ErrorPanel } from '../../ui/feedback/error-panel.tsx';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Form, Inputs, SaveFailure, SubmitRow, secret, text, useForm } from '../../ui/form.tsx';
import { useAiSave } from './ai-api.ts';

const fieldsOf = ({ keySaved }: AiState) => ({
  baseUrl: text({
    label: 'Address',
    description:
      'Where the service answers, up to its version, like https://api.openai.com/v1. The service must understand requests in the form of OpenAI’s chat completions.',
    charsMax: enteredCharsMax,
    missing: 'Enter the address.',
  }),
  model: text({ label: 'Model', charsMax: enteredCharsMax, missing: 'Enter the model.' }),
  key: secret({
    label: 'Key',
    description: keySaved ? 'A key is saved. Leave this empty to keep it.' : 'If the service needs one.',
    charsMax: enteredCharsMax,
  }),
});

/** Address, model and key. They are tested before they are saved, and the key is never shown again. */
export function AiAddressForm({ ai }: { ai: AiState }) {
  const saved = ai.source === 'saved' ? ai : null;
  const form = useForm({
    fields: fieldsOf(ai),
    initial: { baseUrl: saved?.baseUrl ?? '', model: saved?.model ?? '', key: '' },
  });
  const save = useAiSave();
  const toast = useToast();
  return (
    <Form
      form={form}
      label="AI service"
      onSave={({ key, ...address }) =>
        save.mutate(key === '' ? address : { ...address, key }, {
          onSuccess: ({ ok, message }) => {
            if (!ok) return;
            form.clear('key');
            toast({ title: 'AI service saved', text: message });
          },
        })
      }
    >
      <Inputs form={form} />
      {save.data?.ok === false && <ErrorPanel title={save.data.message}>Nothing was saved.</ErrorPanel>}
      <SaveFailure error={save.error} title="Couldn’t save the AI service.">
        Nothing was saved.
      </SaveFailure>
      <SubmitRow label="Test and Save" isSaving={save.isPending} />
    </Form>
  );
}

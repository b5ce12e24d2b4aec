import type { AiState } from '@draftshelf/contract/enrich/ai';
import { wishCharsMax } from '@draftshelf/domain/enrich/ai/limits';
import { useToast } from '../../ui/feedback/toast.tsx';
import { Form, InputRow, SaveFailure, SubmitRow, text, useForm } from '../../ui/form.tsx';
import { useAiSave } from './ai-api.ts';

const fields = {
  language: text({
    label: 'Language of texts',
    description: 'Where a product has too few words to tell its language.',
    placeholder: 'German',
    charsMax: wishCharsMax,
    basis: '12rem',
  }),
  tone: text({
    label: 'Style of descriptions',
    description: 'Facts are checked in any style.',
    placeholder: 'Short and plain',
    charsMax: wishCharsMax,
    basis: '12rem',
  }),
};

/** Wishes for proposed texts. Products that were asked about with other wishes are asked about again. */
export function AiTextsForm({ ai }: { ai: AiState }) {
  const form = useForm({ fields, initial: { language: ai.language ?? '', tone: ai.tone ?? '' } });
  const save = useAiSave();
  const toast = useToast();
  return (
    <Form
      form={form}
      label="Wishes for texts"
      onSave={(wishes) =>
        save.mutate(wishes, {
          onSuccess: ({ message }) => toast({ title: 'Wishes for texts saved', text: message }),
        })
      }
    >
      <InputRow form={form} />
      <SaveFailure error={save.error} title="Couldn’t save the wishes." />
      <SubmitRow label="Save Wishes" isSaving={save.isPending} />
    </Form>
  );
}

import type { SupplierDetails } from '@draftshelf/contract/suppliers/supplier-page';
import {
  type SupplierAnswers as Answers,
  goneActions,
  goneAfterMax,
} from '@draftshelf/domain/suppliers/gone';
import { Select, Text, Title } from '@mantine/core';
import { useFailureToast } from '../../ui/feedback/toast.tsx';
import { goneActionLabels } from '../import/index.ts';
import { useAnswers } from './suppliers-api.ts';

/** Whether lists are complete, and what full auto does with products that they no longer have. */
export function SupplierAnswers({ supplier: { id, name, answers } }: { supplier: SupplierDetails }) {
  const answering = useAnswers(id);
  const failure = useFailureToast();
  const { sendsComplete, goneAfter, whenGone } = answers;
  const say = <Name extends keyof Answers>(of: Name, value: Answers[Name]) =>
    answering.mutate(
      { set: { [of]: value }, from: { [of]: answers[of] } },
      { onError: (error) => failure.show('Couldn’t save the answer', error.message) },
    );
  return (
    <section className="stack" aria-labelledby="no-longer-listed">
      <Title order={2} id="no-longer-listed">
        No longer listed
      </Title>
      <Select
        label={<span className="break-words">{`Does ${name} send the complete list each time?`}</span>}
        description="Unless you say yes, missing products are ignored."
        placeholder="Not answered"
        data={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No, parts of it' },
        ]}
        value={sendsComplete === null ? null : sendsComplete ? 'yes' : 'no'}
        onChange={(value) => value !== null && say('sendsComplete', value === 'yes')}
      />
      <Select
        label="A product is no longer listed after"
        data={Array.from({ length: goneAfterMax }, (_, at) => ({
          value: `${at + 1}`,
          label: at === 0 ? '1 list without it' : `${at + 1} lists in a row without it`,
        }))}
        value={`${goneAfter}`}
        onChange={(value) => value !== null && say('goneAfter', Number(value))}
        allowDeselect={false}
      />
      <Select
        label="What full auto does with them"
        description="With at most 50 products of a list. You can undo it like a push."
        data={[
          { value: 'nothing', label: 'Do nothing' },
          ...goneActions.map((value) => ({ value, label: goneActionLabels[value] })),
        ]}
        value={whenGone}
        onChange={(value) => say('whenGone', goneActions.find((one) => one === value) ?? 'nothing')}
        allowDeselect={false}
      />
      <Text size="sm" c="dimmed">
        What another supplier still sells, and what was changed or sold in the store, is left as it is.
      </Text>
    </section>
  );
}

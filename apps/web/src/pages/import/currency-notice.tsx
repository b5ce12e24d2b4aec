import { IconAlertTriangle } from '@tabler/icons-react';
import { type ShownImport, useCurrencyAnswer } from '../../api/imports.ts';
import { Button } from '../../components/button.tsx';
import { useFailureToast } from '../../components/feedback/toast.tsx';
import { currencyWords, namedWords, questionOf } from '../../components/import/currency-words.ts';
import { Notice } from './status-strip.tsx';

/** The one question about prices in another currency, or the operator's answer, which can be changed. */
export function CurrencyNotice({ record }: { record: ShownImport }) {
  const answering = useCurrencyAnswer();
  const failure = useFailureToast();
  const question = questionOf(record);
  if (question === null || record.status === 'cancelled') return null;
  const button = (answer: 'send' | 'hold', words: string) => (
    <Button
      size="compact-sm"
      variant="default"
      loading={answering.isPending && answering.variables.answer === answer}
      onClick={() =>
        answering.mutate(
          { ids: [record.id], answer },
          { onError: (error) => failure.show('Couldn’t save the answer', error.message) },
        )
      }
    >
      {words}
    </Button>
  );
  if (question.answer === 'send') {
    return (
      <Notice>
        Prices in {namedWords(question.named)} are sent as they are; nothing is converted to {question.store}.{' '}
        {button('hold', 'Hold Back')}
      </Notice>
    );
  }
  const isHeld = question.answer === 'hold';
  return (
    <Notice icon={IconAlertTriangle} tone="question" title={isHeld ? 'Held back.' : currencyWords(question)}>
      {isHeld ? `${currencyWords(question)} ` : 'Amounts aren’t converted. '}
      {button('send', 'Send As They Are')} {!isHeld && button('hold', 'Hold Back')}
    </Notice>
  );
}

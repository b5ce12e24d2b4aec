import { Confirm } from '../../../ui/feedback/confirm.tsx';
import type { CurrencyGate } from './currency-gate.tsx';
import { questionWords } from './currency-question-words.ts';

type CurrencyQuestionProps = { opened: boolean; gate: CurrencyGate };

/** Asks how imports in another currency are pushed. Only its two buttons answer; closing it pushes nothing. */
export function CurrencyQuestion({ opened, gate }: CurrencyQuestionProps) {
  const { title, lines } = questionWords(gate.askedImports ?? [], gate.others);
  return (
    <Confirm
      opened={opened}
      title={title}
      confirm="Send As They Are"
      keep={gate.others === 0 ? 'Hold Back' : 'Hold Back, Push the Others'}
      onConfirm={() => gate.answer('send')}
      onKeep={() => gate.answer('hold')}
      onClose={gate.close}
    >
      {lines.map((line) => (
        <p key={line} style={{ margin: 0 }}>
          {line}
        </p>
      ))}
    </Confirm>
  );
}

import { Confirm } from '../../../ui/feedback/confirm.tsx';
import type { CurrencyGate } from './currency-gate.tsx';
import { questionWords } from './currency-question-words.ts';
import { isOfRows } from './currency-words.ts';

type CurrencyQuestionProps = { opened: boolean; gate: CurrencyGate };

/**
 * Asks how imports, or a few of their rows, in another currency are pushed. Only its two buttons answer; closing it
 * pushes nothing.
 */
export function CurrencyQuestion({ opened, gate }: CurrencyQuestionProps) {
  const asked = gate.asked ?? [];
  const ofRows = asked.some(isOfRows);
  const { title, lines } = questionWords(asked, gate.others);
  return (
    <Confirm
      opened={opened}
      title={title}
      confirm={ofRows ? 'Send These' : 'Send As They Are'}
      keep={ofRows ? 'Leave Out' : gate.others === 0 ? 'Hold Back' : 'Hold Back, Push the Others'}
      onConfirm={() => gate.answer('send')}
      onKeep={() => gate.answer(ofRows ? 'leave-out' : 'hold')}
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

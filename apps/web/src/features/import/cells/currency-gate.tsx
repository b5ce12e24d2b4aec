import { useRef, useState } from 'react';
import { Question } from '../../../ui/feedback/question.tsx';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { useCurrencyAnswer } from '../imports-api.ts';
import { needsAnswer, type PricedImport, questionWords } from './currency-words.ts';

export type CurrencyGate = ReturnType<typeof useCurrencyGate>;

/** Pushes some imports. `held`: those that the operator has just held back. */
type PushSome = (ids: readonly string[], held: readonly PricedImport[]) => void;

/** Pushes imports, but first asks about those whose prices are in another currency than the store's. */
export function useCurrencyGate() {
  const [asked, setAsked] = useState<readonly PricedImport[] | null>(null);
  /** The imports without a question. */
  const [others, setOthers] = useState<readonly string[]>([]);
  /** The push that waits for the answer. */
  const waiting = useRef<PushSome | null>(null);
  const answering = useCurrencyAnswer();
  const failure = useFailureToast();
  const close = () => {
    waiting.current = null;
    setAsked(null);
  };
  const answer = (value: 'send' | 'hold') => {
    const push = waiting.current;
    if (asked === null || push === null) return;
    close();
    answering.mutate(
      { ids: asked.map(({ id }) => id), answer: value },
      {
        onSuccess: () => {
          if (value === 'send') push([...others, ...asked.map(({ id }) => id)], []);
          else if (others.length > 0) push(others, asked);
        },
        onError: (error) => failure.show('Couldn’t save the answer', error.message),
      },
    );
  };
  return {
    asked,
    others: others.length,
    answer,
    close,
    /** Calls `push` at once, or once the operator has answered: without what is held back, if there are others. */
    push: (imports: readonly PricedImport[], push: PushSome) => {
      const idsOf = (some: readonly PricedImport[]) => some.map(({ id }) => id);
      const open = imports.filter((one) => needsAnswer(one));
      if (open.length === 0) return push(idsOf(imports), []);
      waiting.current = push;
      setOthers(idsOf(imports.filter((one) => !open.includes(one))));
      setAsked(open);
    },
  };
}

/** The question of a gate. Only its two buttons answer it; closing it leaves it open and pushes nothing. */
export function CurrencyDialog({ gate }: { gate: CurrencyGate }) {
  const { title, lines } = questionWords(gate.asked ?? [], gate.others);
  return (
    <Question
      opened={gate.asked !== null}
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
    </Question>
  );
}

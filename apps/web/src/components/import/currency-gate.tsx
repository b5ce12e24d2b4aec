import { Suspense, useRef, useState } from 'react';
import { useCurrencyAnswer } from '../../api/imports.ts';
import { lazily } from '../../lib/load-chunk.ts';
import { useEver } from '../../lib/use-ever.ts';
import { useFailureToast } from '../feedback/toast.tsx';
import { needsAnswer, type PricedImport, questionWords } from './currency-words.ts';

const Confirm = lazily(() => import('../feedback/confirm.tsx').then((chunk) => chunk.Confirm));

export type CurrencyGate = ReturnType<typeof useCurrencyGate>;

/** Pushes imports, but first asks about those whose prices are in another currency than the store's. */
export function useCurrencyGate() {
  const [asked, setAsked] = useState<readonly PricedImport[] | null>(null);
  /** The push that waits for the answer. */
  const waiting = useRef<(() => void) | null>(null);
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
        onSuccess: () => value === 'send' && push(),
        onError: (error) => failure.show('Couldn’t save the answer', error.message),
      },
    );
  };
  return {
    asked,
    answer,
    close,
    /** Calls `push` at once, or when the operator has decided to send the amounts as they are. */
    push: (imports: readonly PricedImport[], push: () => void) => {
      const open = imports.filter((one) => needsAnswer(one));
      if (open.length === 0) return push();
      waiting.current = push;
      setAsked(open);
    },
  };
}

/** The question of a gate. Only its two buttons answer it; closing it leaves it open and pushes nothing. */
export function CurrencyDialog({ gate }: { gate: CurrencyGate }) {
  // Stays mounted once opened, because the dialog returns the focus while it closes.
  const isMounted = useEver(gate.asked !== null);
  if (!isMounted) return null;
  const { title, text } = questionWords(gate.asked ?? []);
  return (
    <Suspense fallback={null}>
      <Confirm
        opened={gate.asked !== null}
        title={title}
        confirm="Send As They Are"
        keep="Hold Back"
        onConfirm={() => gate.answer('send')}
        onKeep={() => gate.answer('hold')}
        onClose={gate.close}
      >
        {text}
      </Confirm>
    </Suspense>
  );
}

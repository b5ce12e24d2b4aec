import { useRef, useState } from 'react';
import { useFailureToast } from '../../../ui/feedback/toast.tsx';
import { overlay } from '../../../ui/later.tsx';
import { useCurrencyAnswer } from '../imports-api.ts';
import { needsAnswer, type PricedImport } from './currency-words.ts';

const CurrencyQuestion = overlay(() =>
  import('./currency-question.tsx').then((chunk) => chunk.CurrencyQuestion),
);

export type CurrencyGate = ReturnType<typeof useCurrencyGate>;

/** Pushes some imports. `held`: the imports that the operator has just held back. */
type PushSome = (ids: readonly string[], held: readonly PricedImport[]) => void;

/** Pushes imports. First asks about imports whose prices are not in the store's currency. */
export function useCurrencyGate() {
  const [askedImports, setAskedImports] = useState<readonly PricedImport[] | null>(null);
  /** The imports without a question. */
  const [others, setOthers] = useState<readonly string[]>([]);
  /** The push that waits for the answer. */
  const waiting = useRef<PushSome | null>(null);
  const answering = useCurrencyAnswer();
  const failure = useFailureToast();
  const close = () => {
    waiting.current = null;
    setAskedImports(null);
  };
  const answer = (value: 'send' | 'hold') => {
    const push = waiting.current;
    if (askedImports === null || push === null) return;
    close();
    answering.mutate(
      { ids: askedImports.map(({ id }) => id), answer: value },
      {
        onSuccess: () => {
          if (value === 'send') push([...others, ...askedImports.map(({ id }) => id)], []);
          else if (others.length > 0) push(others, askedImports);
        },
        onError: (error) => failure.show('Couldn’t save the answer', error.message),
      },
    );
  };
  return {
    askedImports,
    others: others.length,
    answer,
    close,
    /** Calls `push` at once or after the operator's answer, without the imports that are held back. */
    push: (imports: readonly PricedImport[], push: PushSome) => {
      const idsOf = (some: readonly PricedImport[]) => some.map(({ id }) => id);
      const open = imports.filter(needsAnswer);
      if (open.length === 0) return push(idsOf(imports), []);
      waiting.current = push;
      setOthers(idsOf(imports.filter((priced) => !open.includes(priced))));
      setAskedImports(open);
    },
  };
}

/** The question of a gate. */
export const CurrencyDialog = ({ gate }: { gate: CurrencyGate }) => (
  <CurrencyQuestion opened={gate.askedImports !== null} gate={gate} />
);

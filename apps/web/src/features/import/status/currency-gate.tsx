import { useState } from 'react';
import { Confirm } from '../../../ui/feedback/confirm.tsx';
import { type CurrencyAnswer, useCurrencyAnswer } from '../imports-api.ts';
import { isOfRows, needsAnswer, type PricedImport, questionWords } from './currency-words.ts';

export type CurrencyGate = ReturnType<typeof useCurrencyGate>;

/** `held`: imports that the operator has just held back. */
type PushSome = (ids: readonly string[], held: readonly PricedImport[]) => void;

/** `asked`: whole lists, or lists with a few rows in another currency. */
type Asking = {
  asked: readonly PricedImport[];
  others: readonly PricedImport[];
  settled: readonly string[];
  held: readonly PricedImport[];
  push: PushSome;
};

/** Asks first about prices that are not in the store's currency. */
export function useCurrencyGate() {
  const [asking, setAsking] = useState<Asking | null>(null);
  const answering = useCurrencyAnswer();
  const next = (
    imports: readonly PricedImport[],
    { push, settled, held }: Omit<Asking, 'asked' | 'others'>,
  ) => {
    const open = imports.filter(needsAnswer);
    const lists = open.filter((priced) => !isOfRows(priced));
    const asked = lists.length > 0 ? lists : open;
    const others = imports.filter((priced) => !asked.includes(priced));
    if (asked.length > 0) return setAsking({ asked, others, settled, held, push });
    const ids = [...settled, ...imports.map(({ id }) => id)];
    if (ids.length > 0) push(ids, held);
  };
  const answer = (value: CurrencyAnswer) => {
    if (asking === null) return;
    const { asked, others, settled, held, push } = asking;
    const ids = asked.map(({ id }) => id);
    setAsking(null);
    // Other imports may be answered for before this ends. The call reports a failure.
    answering.mutateAsync({ ids, answer: value }).then(
      () =>
        value === 'hold'
          ? next(others, { push, settled, held: [...held, ...asked] })
          : next(others, { push, settled: [...settled, ...ids], held }),
      () => {},
    );
  };
  return {
    asked: asking?.asked ?? null,
    others: asking?.others.length ?? 0,
    answer,
    close: () => setAsking(null),
    /** Calls `push` after the answers, without the imports that are held back. */
    push: (imports: readonly PricedImport[], push: PushSome) =>
      next(imports, { push, settled: [], held: [] }),
  };
}

/** Only its two buttons answer; closing it pushes nothing. */
export function CurrencyDialog({ gate }: { gate: CurrencyGate }) {
  const asked = gate.asked ?? [];
  const ofRows = asked.some(isOfRows);
  const { title, lines } = questionWords(asked, gate.others);
  return (
    <Confirm
      opened={gate.asked !== null}
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

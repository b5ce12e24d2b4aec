import { canDo } from '@draftshelf/domain/imports/import-status';
import {
  heldBackSentence,
  isAskedAboutCurrency,
  otherCurrencySentence,
} from '@draftshelf/domain/push/before-push';
import { useState } from 'react';
import { formatCount, listed } from '../../../lib/intl.ts';
import { ConfirmDialog } from '../../../ui/feedback/confirm.tsx';
import { type CurrencyAnswer, type ShownImport, useCurrencyAnswer } from '../imports-api.ts';

export type CurrencyGate = ReturnType<typeof useCurrencyGate>;

/** Pushes imports. `held`: imports that the operator has just held back instead. */
type PushSome = (ids: readonly string[], held: readonly PricedImport[]) => void;

/** `asked`: the imports that the question is about. Either all rows of each are in another currency, or only some. */
type Asking = {
  asked: readonly PricedImport[];
  others: readonly PricedImport[];
  settled: readonly string[];
  held: readonly PricedImport[];
  push: PushSome;
};

/** Asks about prices in other currencies before imports are pushed. */
export function useCurrencyGate() {
  const [asking, setAsking] = useState<Asking | null>(null);
  const answering = useCurrencyAnswer();
  const next = (
    imports: readonly PricedImport[],
    { push, settled, held }: Omit<Asking, 'asked' | 'others'>,
  ) => {
    const open = imports.filter(needsAnswer);
    const lists = open.filter((priced) => !hasSomeOtherCurrency(priced));
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
    // Uses the promise, because the next question may open before this call ends. The call shows its own failure.
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
    /** Asks about the imports, then calls `push` with those that are not held back. */
    push: (imports: readonly PricedImport[], push: PushSome) =>
      next(imports, { push, settled: [], held: [] }),
  };
}

/** The dialog with the question. Each of its buttons answers the question. Closing the dialog pushes nothing. */
export function CurrencyDialog({ gate }: { gate: CurrencyGate }) {
  const asked = gate.asked ?? [];
  const ofRows = asked.some(hasSomeOtherCurrency);
  const { title, lines } = questionWords(asked, gate.others);
  return (
    <ConfirmDialog
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
    </ConfirmDialog>
  );
}

export type PricedImport = Pick<ShownImport, 'id' | 'filename' | 'otherCurrency' | 'shop'>;
type OtherCurrency = NonNullable<ShownImport['otherCurrency']>;

/** Returns the question about an import's currency. Null if it is the store's currency or after the first push. */
export const findCurrencyQuestion = ({ otherCurrency, shop }: PricedImport): OtherCurrency | null =>
  shop === null ? otherCurrency : null;

export type AskingImport = Pick<
  ShownImport,
  'otherCurrency' | 'shop' | 'status' | 'columnQuestions' | 'asksRecipes'
>;

/** Counts the questions to answer before a push. An import that is held back has no open question about prices. */
export function countOpenQuestions(record: AskingImport): number {
  const { otherCurrency, status, shop, columnQuestions, asksRecipes } = record;
  const isPriced =
    otherCurrency !== null && isAskedAboutCurrency({ status, shop, answer: otherCurrency.answer });
  return (isPriced ? 1 : 0) + (canDo('review', status) ? columnQuestions + (asksRecipes ? 1 : 0) : 0);
}

/** True if only some of the rows are in another currency, not the whole list. */
export const hasSomeOtherCurrency = ({ otherCurrency }: Pick<PricedImport, 'otherCurrency'>): boolean =>
  otherCurrency !== null && otherCurrency.rows !== null;

export function needsAnswer(priced: PricedImport): boolean {
  const question = findCurrencyQuestion(priced);
  return question !== null && question.answer !== 'send';
}

/** Explains why an import is held back, or returns null if it is not. */
export function heldReasonWords(priced: PricedImport): string | null {
  const question = findCurrencyQuestion(priced);
  return question?.answer === 'hold' ? heldBackSentence(question) : null;
}

export const heldResultWords = ({ otherCurrency }: PricedImport): string =>
  otherCurrency === null ? 'Held back.' : heldBackSentence(otherCurrency);

/** Returns the question: a title and one line per currency. `others`: number of imports that need no answer. */
export function questionWords(
  asked: readonly PricedImport[],
  others = 0,
): { title: string; lines: readonly string[] } {
  const question = asked[0]?.otherCurrency;
  if (!question) return { title: '', lines: [] };
  const byCurrency = Map.groupBy(asked, ({ otherCurrency }) => otherCurrency?.named.join(' ') ?? '');
  const lines = [...byCurrency.values()].map((imports) => {
    const names = listed(imports.map(({ filename }) => filename));
    const named = imports[0]?.otherCurrency?.named[0] ?? '';
    return `${names}: amounts aren’t converted, so 10.00 ${named} becomes 10.00 ${question.store}.`;
  });
  const ofRows = question.rows !== null;
  const title =
    asked.length === 1
      ? otherCurrencySentence(question)
      : `${ofRows ? 'Some prices' : 'Prices'} aren’t in ${question.store}, the store’s currency`;
  if (ofRows) return { title, lines: [...lines, 'All other rows are pushed, whatever you choose.'] };
  const rest = others === 1 ? 'The other file is' : `The other ${formatCount(others)} files are`;
  return { title, lines: others === 0 ? lines : [...lines, `${rest} in ${question.store}.`] };
}

import { heldBackWords, otherCurrencyWords } from '@draftshelf/domain/before-push';
import type { ShownImport } from '../../api/imports.ts';

/** The parts of an import that decide whether its currency is asked about. */
export type PricedImport = Pick<ShownImport, 'id' | 'filename' | 'otherCurrency' | 'shop'>;
type OtherCurrency = NonNullable<ShownImport['otherCurrency']>;

/** The question of an import that was never pushed; null if there is none. */
export function questionOf({ otherCurrency, shop }: PricedImport): OtherCurrency | null {
  return shop === null ? otherCurrency : null;
}

/** Whether the operator has not decided to send the import's amounts as they are. */
export function needsAnswer(priced: PricedImport): boolean {
  const question = questionOf(priced);
  return question !== null && question.answer !== 'send';
}

/** Why the operator's answer keeps the import from being pushed; null if it does not. */
export function heldWords(priced: PricedImport): string | null {
  const question = questionOf(priced);
  return question?.answer === 'hold' ? heldBackWords(question) : null;
}

/** The question about one or several imports that are to be pushed. */
export function questionWords(asked: readonly PricedImport[]): { title: string; text: string } {
  const [first] = asked;
  const question = first?.otherCurrency;
  if (!first || !question) return { title: '', text: '' };
  const unchanged = `Amounts aren’t converted: 10.00 ${question.named[0] ?? ''} becomes 10.00 ${question.store}.`;
  if (asked.length === 1)
    return { title: otherCurrencyWords(question), text: `${first.filename}: ${unchanged}` };
  const names = new Intl.ListFormat('en').format(asked.map(({ filename }) => filename));
  return {
    title: `Prices aren’t in ${question.store}, the store’s currency`,
    text: `${names}: ${unchanged}`,
  };
}

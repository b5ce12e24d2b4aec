import { heldBackWords, isAskedAboutCurrency } from '@draftshelf/domain/push/before-push';
import type { ShownImport } from '../imports-api.ts';

/** The parts of an import that decide whether its currency is asked about. */
export type PricedImport = Pick<ShownImport, 'id' | 'filename' | 'otherCurrency' | 'shop'>;
type OtherCurrency = NonNullable<ShownImport['otherCurrency']>;

/** The question of an import that was never pushed; null if there is none. */
export function questionOf({ otherCurrency, shop }: PricedImport): OtherCurrency | null {
  return shop === null ? otherCurrency : null;
}

/** Whether a list shows the question about an import. An import that is held back has its own words. */
export function isAsking(priced: PricedImport & Pick<ShownImport, 'status'>): boolean {
  const { otherCurrency, status, shop } = priced;
  return otherCurrency !== null && isAskedAboutCurrency({ status, shop, answer: otherCurrency.answer });
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

/** What became of an import in a batch in which the operator held it back. */
export function heldResultWords({ otherCurrency }: PricedImport): string {
  return otherCurrency === null ? 'Held back.' : heldBackWords(otherCurrency);
}

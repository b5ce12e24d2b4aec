import { canDo } from '@draftshelf/domain/imports/import-status';
import { heldBackWords, isAskedAboutCurrency, otherCurrencyWords } from '@draftshelf/domain/push/before-push';
import { formatCount } from '../../../lib/intl.ts';
import type { ShownImport } from '../imports-api.ts';

export type PricedImport = Pick<ShownImport, 'id' | 'filename' | 'otherCurrency' | 'shop'>;
type OtherCurrency = NonNullable<ShownImport['otherCurrency']>;

/** Null: no question, or the import was pushed before. */
export const questionOf = ({ otherCurrency, shop }: PricedImport): OtherCurrency | null =>
  shop === null ? otherCurrency : null;

/** An import that is held back has its own words. */
export function openQuestions(
  record: Pick<ShownImport, 'otherCurrency' | 'shop' | 'status' | 'columnQuestions' | 'asksRecipes'>,
): number {
  const { otherCurrency, status, shop, columnQuestions, asksRecipes } = record;
  const isPriced =
    otherCurrency !== null && isAskedAboutCurrency({ status, shop, answer: otherCurrency.answer });
  return (isPriced ? 1 : 0) + (canDo('review', status) ? columnQuestions + (asksRecipes ? 1 : 0) : 0);
}

/** Only some rows are in another currency, not the whole list. */
export const isOfRows = ({ otherCurrency }: Pick<PricedImport, 'otherCurrency'>): boolean =>
  otherCurrency !== null && otherCurrency.rows !== null;

export function needsAnswer(priced: PricedImport): boolean {
  const question = questionOf(priced);
  return question !== null && question.answer !== 'send';
}

/** Null: nothing keeps the import from being pushed. */
export function heldWords(priced: PricedImport): string | null {
  const question = questionOf(priced);
  return question?.answer === 'hold' ? heldBackWords(question) : null;
}

export function heldResultWords({ otherCurrency }: PricedImport): string {
  return otherCurrency === null ? 'Held back.' : heldBackWords(otherCurrency);
}

/** One line per currency. `others`: number of imports without a question. */
export function questionWords(
  asked: readonly PricedImport[],
  others = 0,
): { title: string; lines: readonly string[] } {
  const question = asked[0]?.otherCurrency;
  if (!question) return { title: '', lines: [] };
  const byCurrency = Map.groupBy(asked, ({ otherCurrency }) => otherCurrency?.named.join(' ') ?? '');
  const lines = [...byCurrency.values()].map((imports) => {
    const names = new Intl.ListFormat('en').format(imports.map(({ filename }) => filename));
    const named = imports[0]?.otherCurrency?.named[0] ?? '';
    return `${names}: Amounts aren’t converted: 10.00 ${named} becomes 10.00 ${question.store}.`;
  });
  const ofRows = question.rows !== null;
  const title =
    asked.length === 1
      ? otherCurrencyWords(question)
      : `${ofRows ? 'Some prices' : 'Prices'} aren’t in ${question.store}, the store’s currency`;
  if (ofRows) return { title, lines: [...lines, 'All other rows are pushed either way.'] };
  const rest = others === 1 ? 'The other file is' : `The other ${formatCount(others)} files are`;
  return { title, lines: others === 0 ? lines : [...lines, `${rest} in ${question.store}.`] };
}

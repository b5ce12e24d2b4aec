import type { ShownImport } from '../../api/imports.ts';

/** The parts of an import that decide whether its currency is asked about. */
export type PricedImport = Pick<ShownImport, 'id' | 'filename' | 'otherCurrency' | 'shop'>;
export type OtherCurrency = NonNullable<ShownImport['otherCurrency']>;

/** The question of an import that was never pushed; null if there is none. */
export function questionOf({ otherCurrency, shop }: PricedImport): OtherCurrency | null {
  return shop === null ? otherCurrency : null;
}

/** Whether the operator has not decided to send the import's amounts as they are. */
export function needsAnswer(priced: PricedImport): boolean {
  const question = questionOf(priced);
  return question !== null && question.answer !== 'send';
}

/** 'USD', 'USD and EUR'; 'another currency' if an edit has just removed the last one. */
export function namedWords(named: readonly string[]): string {
  return named.length === 0 ? 'another currency' : new Intl.ListFormat('en').format(named);
}

/** 'Prices are in USD, but the store uses CAD.' */
export function currencyWords({ named, store }: OtherCurrency): string {
  return `Prices are in ${namedWords(named)}, but the store uses ${store}.`;
}

/** The question about one or several imports that are to be pushed. */
export function questionWords(asked: readonly PricedImport[]): { title: string; text: string } {
  const [first] = asked;
  const question = first?.otherCurrency;
  if (!first || !question) return { title: '', text: '' };
  const unchanged = `Amounts aren’t converted: 10.00 ${question.named[0] ?? ''} becomes 10.00 ${question.store}.`;
  if (asked.length === 1) return { title: currencyWords(question), text: `${first.filename}: ${unchanged}` };
  const names = new Intl.ListFormat('en').format(asked.map(({ filename }) => filename));
  return {
    title: `Prices aren’t in ${question.store}, the store’s currency`,
    text: `${names}: ${unchanged}`,
  };
}

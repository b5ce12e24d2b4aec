import { otherCurrencyWords } from '@draftshelf/domain/push/before-push';
import { formatCount } from '../../../lib/intl.ts';
import type { PricedImport } from './currency-words.ts';

/** The question about imports to push, with a line per currency. `others`: the imports without a question. */
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

import { currencyCode, formatDollars, parseMoney } from '@draftshelf/domain/base/money';

/** A price as '$1234.50', with the sign of the currency that it or its row names: '€1234.50'. */
export function shownPrice(value: string, currencyName: string | undefined): string {
  const dollars = formatDollars(value);
  const currency = parseMoney(value)?.currency ?? currencyCode(currencyName);
  return currency === null ? dollars : dollars.replace('$', signOf(currency));
}

const signOf = (currency: string): string =>
  (0)
    .toLocaleString('en-US', { style: 'currency', currencyDisplay: 'narrowSymbol', currency })
    .replace(/0.*/, '');

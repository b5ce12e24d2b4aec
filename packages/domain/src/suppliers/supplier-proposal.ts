import { moneyFields } from '../base/canonical-fields.ts';
import { shortenText } from '../base/cut-text.ts';
import { parseMoney, replaceAmount } from '../base/money.ts';

/** Group of proposals with the supplier's value. Screens show 'Price → their value, 31 products'. */
export const supplierValueGroup = 'their value';

export const changedSinceSentence = 'The supplier has changed it since you did.';

const quotedCharsMax = 80;

const quoted = (text: string): string => shortenText(text.replace(/\s+/g, ' ').trim(), quotedCharsMax);

/** Returns evidence like 'was 12.00' or 'was empty'. `currency` is the store's, or null if unknown. */
export function formatEvidence(field: string, saidOf: string | null, currency: string | null): string | null {
  if (saidOf === null) return null;
  const isMoney = moneyFields.some((one) => one === field);
  return saidOf === '' ? 'was empty' : `was ${quoted(isMoney ? withDecimals(saidOf, currency) : saidOf)}`;
}

/** Restores the decimals of the currency, because amounts are stored without trailing zeros. */
function withDecimals(text: string, currency: string | null): string {
  const money = parseMoney(text);
  if (money === null) return text;
  const style = { style: 'currency', currency: money.currency ?? currency ?? 'USD' } as const;
  const digits = new Intl.NumberFormat('en-US', style).resolvedOptions().minimumFractionDigits ?? 0;
  const [whole, decimals = ''] = money.amount.split('.');
  const all = decimals.padEnd(digits, '0');
  return replaceAmount(text, all === '' ? `${whole}` : `${whole}.${all}`);
}

/** Returns 'Acme: 13.00 (was 12.00). Yours: 14.40.' `becomes`: the supplier's value after the recipes of this list. */
export function proposalSentence(
  supplier: string | null,
  {
    theirs,
    becomes,
    yours,
    evidence,
  }: { theirs: string; becomes: string; yours: string | null; evidence: string | null },
): string {
  const own = yours === null || yours === '' ? 'empty' : quoted(yours);
  const before = evidence === null ? '' : ` (${evidence})`;
  const then = becomes === theirs ? '' : `, ${quoted(becomes)} after the changes made to this list`;
  return `${supplier ?? 'Supplier'}: ${quoted(theirs)}${before}${then}. Yours: ${own}.`;
}

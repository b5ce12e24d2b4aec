import type { AiOfImport } from '@draftshelf/contract/enrich/ai';
import { countOf, formatCount } from '../../../lib/intl.ts';

type Cost = { cost: number | null; currency: string | null };

/** '$0.60'. An unknown currency stands before the number. */
export function moneyWords(amount: number, currency: string | null): string {
  const least = 0.01;
  const isTiny = amount > 0 && amount < least;
  const shownAmount = isTiny ? least : amount;
  return `${isTiny ? 'under ' : ''}${formatMoney(shownAmount, currency ?? '')}`;
}

function formatMoney(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
  } catch {
    return `${currency} ${amount.toFixed(2)}`.trim();
  }
}

/** 'about $0.60', or 'about 1,200,000 tokens' without prices. */
export function aboutWords({ tokens, cost, currency }: Cost & { tokens: number }): string {
  if (cost === null) return `about ${countOf(tokens, 'token')}`;
  const words = moneyWords(cost, currency);
  return words.startsWith('under ') ? words : `about ${words}`;
}

export const askedCount = ({ answered, failed }: Pick<AiOfImport, 'answered' | 'failed'>): number =>
  answered + failed;

export function progressWords(asking: AiOfImport): string {
  const askedWords = `${formatCount(askedCount(asking))} of ${formatCount(asking.expected)} asked`;
  return [askedWords, ...usageWords(asking)].join(' · ');
}

export function resultWords(asking: AiOfImport): string {
  const proposals = asking.proposals === 0 ? 'no proposals' : countOf(asking.proposals, 'proposal');
  const use = asking.requests === 0 ? 'Nothing was sent' : usageWords(asking).join(', ');
  const sentence = use.charAt(0).toUpperCase() + use.slice(1);
  return `${countOf(askedCount(asking), 'product')} asked; ${proposals}. ${sentence}.`;
}

/** The use so far, with the import's limit. */
function usageWords({ tokens, cost, currency, isAtMost, limits }: AiOfImport): string[] {
  const most = isAtMost ? 'at most ' : '';
  if (cost === null) return [`${most}${formatCount(tokens)} of ${countOf(limits.importTokens, 'token')}`];
  const limit = limits.importCost === null ? '' : ` of ${moneyWords(limits.importCost, currency)}`;
  const money = moneyWords(cost, currency);
  return [`${most}${countOf(tokens, 'token')}`, `${money.startsWith('under ') ? '' : most}${money}${limit}`];
}

export function askAllWords({ estimate, currency }: Pick<AiOfImport, 'estimate' | 'currency'>): string {
  const { products } = estimate;
  const which = products === 1 ? '1 product' : `all ${formatCount(products)}`;
  return `Ask about ${which}: ${aboutWords({ ...estimate, currency })}`;
}

/** Null: no limit of the import will end the asking. */
export function aboveLimitWords({ tokens, cost, currency, estimate, limits }: AiOfImport): string | null {
  const { importTokens, importCost } = limits;
  const sentence = (limit: string) =>
    `That’s above the limit of ${limit} for an import, so asking will end there. You can raise it in Settings.`;
  const isAboveCost = importCost !== null && (cost ?? 0) + (estimate.cost ?? 0) > importCost;
  if (isAboveCost) return sentence(moneyWords(importCost, currency));
  return tokens + estimate.tokens > importTokens ? sentence(countOf(importTokens, 'token')) : null;
}

/** Only with exactly these fields: other ones would be sent again. */
export function isAskedAlready(asking: AiOfImport, fields: AiOfImport['fields']): boolean {
  const count = askedCount(asking);
  const isSame =
    fields.length === asking.fields.length && fields.every((field) => asking.fields.includes(field));
  return isSame && count > 0 && count >= asking.estimate.products;
}

const sampleMax = 5;

export function sampleOf({ estimate, currency }: Pick<AiOfImport, 'estimate' | 'currency'>) {
  const products = Math.min(sampleMax, estimate.products);
  const share = estimate.products === 0 ? 0 : products / estimate.products;
  const cost = estimate.cost === null ? null : estimate.cost * share;
  return { products, words: aboutWords({ tokens: Math.ceil(estimate.tokens * share), cost, currency }) };
}

const causes: Record<keyof AiOfImport['refused'], string> = {
  malformed: 'no answer in the right form',
  facts: 'facts that the row doesn’t have',
  length: 'too short or too long',
  html: 'markup that isn’t allowed',
  other: 'addresses, prices or other texts that don’t belong there',
};

/** The most frequent cause first: '12: facts that the row doesn’t have'. */
export const refusedWords = (refused: AiOfImport['refused']): string[] =>
  (Object.keys(causes) as (keyof typeof causes)[])
    .filter((cause) => refused[cause] > 0)
    .sort((a, b) => refused[b] - refused[a])
    .map((cause) => `${formatCount(refused[cause])}: ${causes[cause]}`);

export const refusedCount = (refused: AiOfImport['refused']): number =>
  Object.values(refused).reduce((sum, count) => sum + count, 0);

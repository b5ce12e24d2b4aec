import type { SentProduct } from './answer.ts';
import { foldText, textOfHtml, wordsOf } from './fold-text.ts';
import { type RowQuantities, rowQuantities } from './quantities.ts';

/** Facts of the sent values for the checks. */
export type RowFacts = {
  /** Plain texts, not folded. */
  written: string;
  /** The same, folded, and its words. */
  text: string;
  words: ReadonlySet<string>;
  /** The folded values, for quotes; a column also with its name before it. */
  values: readonly string[];
  /** The values as words with a space between them. */
  quotable: readonly string[];
  titleWords: readonly string[];
  quantities: RowQuantities;
  /** Sizes as they are written: 'XL'. */
  sizes: ReadonlySet<string>;
};

type NamedText = { name: string; text: string };

export function rowFacts(product: SentProduct): RowFacts {
  const named = namedTexts(product);
  const folded = named.map(({ name, text }) => ({ name: foldText(name), text: foldText(text) }));
  const text = folded.map(({ name, text }) => `${name} ${text}`).join(' \n ');
  const values = folded.flatMap(({ name, text }) => (name === '' ? [text] : [text, `${name} ${text}`]));
  return {
    written: named.map(({ name, text }) => `${name} ${text}`).join('\n'),
    text,
    words: new Set(wordsOf(text)),
    values,
    quotable: values.map((value) => wordsOf(value).join(' ')),
    titleWords: wordsOf(foldText(product.title ?? product.description ?? '')),
    quantities: rowQuantities(folded),
    sizes: new Set(named.flatMap(({ text }) => sizesOf(text))),
  };
}

function namedTexts(product: SentProduct): NamedText[] {
  const plain = [product.title, textOfHtml(product.description ?? ''), product.vendor, product.type];
  return [
    ...plain.flatMap((text) => (text ? [{ name: '', text }] : [])),
    ...(product.tags ?? []).map((text) => ({ name: '', text })),
    ...(product.options ?? []).flatMap(({ name, values }) => values.map((text) => ({ name, text }))),
    ...(product.columns ?? []).map(({ name, value }) => ({ name, text: value })),
  ];
}

const size =
  /(?<![\p{L}\p{N}'’.&-])(?<!\d )(?:XXS|XS|S|M|L|XL|XXL|XXXL|[2-6]XL)(?![\p{L}\p{N}'’&-])(?!\. ?\p{Lu})/gu;

/** Sizes of clothes that a text names. '5 L' is a volume. */
export const sizesOf = (text: string): string[] => text.match(size) ?? [];

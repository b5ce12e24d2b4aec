import type { SentProduct } from './answer.ts';
import { foldText, textOfHtml, wordsOf } from './fold-text.ts';
import { type RowQuantities, readRowQuantities } from './quantities.ts';

/** The values of a product that were sent, prepared for the checks of answers. */
export type RowFacts = {
  /** Plain text of the values, not folded. */
  written: string;
  /** The folded text, and its words. */
  text: string;
  words: ReadonlySet<string>;
  /** The folded values. A value with a name is also included together with its name. */
  values: readonly string[];
  /** The words of each value, joined by spaces. Quotes are searched in these texts. */
  quotable: readonly string[];
  titleWords: readonly string[];
  quantities: RowQuantities;
  /** Clothing sizes as they are written, such as 'XL'. */
  sizes: ReadonlySet<string>;
};

type NamedText = { name: string; text: string };

export function toRowFacts(product: SentProduct): RowFacts {
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
    quantities: readRowQuantities(folded),
    sizes: new Set(named.flatMap(({ text }) => findClothingSizes(text))),
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

/** Returns the clothing sizes in a text. '5 L' is a volume and not a size. */
export const findClothingSizes = (text: string): string[] => text.match(size) ?? [];

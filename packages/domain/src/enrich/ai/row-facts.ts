import type { SentProduct } from './answer.ts';
import { spacedText } from './claims.ts';
import { conceptsOf, type RowWords } from './fact-words.ts';
import { foldText, textOfHtml, wordsOf } from './fold-text.ts';
import type { Language } from './frequent-words.ts';
import { languagesOf, type Script, scriptsOf } from './language.ts';
import { type RowQuantities, rowQuantities } from './quantities.ts';

/** What the checks need to know of the values that were sent. */
export type RowFacts = RowWords & {
  /** The values as plain texts, not folded. */
  written: string;
  /** The folded values, for quotes; a column also with its name before it. */
  values: readonly string[];
  /** The same as words with a space between them. */
  quotable: readonly string[];
  /** The folded text with spaces around its words. */
  spaced: string;
  titleWords: readonly string[];
  quantities: RowQuantities;
  /** Sizes as they are written: 'XL'. */
  sizes: ReadonlySet<string>;
  /** null: no language of ten is told by the words. */
  language: Language | null;
  /** The languages that the words leave; none: they tell nothing. */
  languages: readonly Language[];
  scripts: ReadonlySet<Script>;
};

/** The languages of title and description, else of all values. A vendor is a name: only its letters may tell. */
function languagesOfRow(product: SentProduct, main: string): Language[] {
  const described = namedTexts({ ...product, vendor: '' }).map(({ name, text }) => `${name} ${text}`);
  const letters = product.vendor?.match(/[^\p{ASCII}]/gu)?.join('') ?? '';
  const tries = [main, described.join('\n'), letters].map(languagesOf);
  return tries.find(({ length }) => length === 1) ?? tries.find(({ length }) => length > 0) ?? [];
}

type NamedText = { name: string; text: string };

export function rowFacts(product: SentProduct): RowFacts {
  const named = namedTexts(product);
  const texts = named.map(({ text }) => text);
  const folded = named.map(({ name, text }) => ({ name: foldText(name), text: foldText(text) }));
  const written = named.map(({ name, text }) => `${name} ${text}`).join('\n');
  const text = folded.map(({ name, text }) => `${name} ${text}`).join(' \n ');
  const words = new Set(wordsOf(text));
  const values = folded.flatMap(({ name, text }) => (name === '' ? [text] : [text, `${name} ${text}`]));
  const main = [product.title ?? '', textOfHtml(product.description ?? '')].join('\n');
  const found = languagesOfRow(product, main);
  const language = found.length === 1 ? (found[0] ?? null) : null;
  return {
    written,
    text,
    words,
    values,
    quotable: values.map((value) => wordsOf(value).join(' ')),
    spaced: spacedText(text),
    titleWords: wordsOf(foldText(product.title ?? product.description ?? '')),
    quantities: rowQuantities(folded, language),
    concepts: conceptsOf(words, text),
    sizes: new Set(texts.flatMap(sizesOf)),
    language,
    languages: found,
    scripts: mainScripts(main.trim() === '' ? written : main),
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

const shareMin = 0.3;

/** The scripts that have a good part of a text's letters. Kana and Han together are one script with kana. */
export function mainScripts(text: string): Set<Script> {
  const scripts = scriptsOf(text);
  const kana = scripts.get('kana');
  if (kana !== undefined) {
    scripts.set('kana', kana + (scripts.get('han') ?? 0));
    scripts.delete('han');
  }
  const all = [...scripts.values()].reduce((sum, count) => sum + count, 0);
  return new Set([...scripts].filter(([, count]) => count / all >= shareMin).map(([script]) => script));
}

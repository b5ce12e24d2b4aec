import type { AnswerFlag } from './answer.ts';

const sentences: Record<AnswerFlag['reason'], string> = {
  'title-unlike-description': 'The title and the description seem to be about different products.',
  'brand-unlike-title': 'The brand and the title don’t seem to belong together.',
  'two-products-in-one': 'These look like two products in one.',
  'not-a-product': 'This doesn’t look like a product.',
  'wrong-language-mixed': 'The texts seem to be in several languages.',
};

/** The remarks of an answer about a product, as sentences for the operator; null: it has none. */
export function flagSentence(flags: readonly AnswerFlag[]): string | null {
  const texts = [...new Set(flags.map(({ reason }) => sentences[reason]))];
  return texts.length === 0 ? null : `AI remarks: ${texts.join(' ')}`;
}

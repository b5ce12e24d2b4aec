import { type AskableField, askableFields, type SentProduct } from './answer.ts';

/** A product with a description of at least this length needs no other description. */
const descriptionCharsEnough = 200;

/** Returns the fields to ask about. None for a product without a title, because a model would have to invent facts. */
export function listAskedFields(product: SentProduct, chosen: readonly AskableField[]): AskableField[] {
  if (product.title === undefined) return [];
  const isWorth: Record<AskableField, boolean> = {
    description: (product.description ?? '').length < descriptionCharsEnough,
    type: product.type === undefined,
    vendor: product.vendor === undefined,
    tags: product.tags === undefined,
    flags: product.description !== undefined,
  };
  // The fields are unique and in a fixed order, because a hash of the fields identifies stored answers.
  const fields = askableFields.filter((field) => chosen.includes(field) && isWorth[field]);
  return fields.some((field) => field !== 'flags') ? fields : [];
}

/** The maximum number of tokens per field of an answer, with evidence, field name and punctuation. */
const answerTokens: Record<AskableField, number> = {
  description: 700,
  type: 60,
  vendor: 60,
  tags: 150,
  flags: 120,
};
const tokensPerAnswer = 120;

/** Returns the token limit for an answer about products with these fields. */
export const sumAnswerTokens = (asked: readonly (readonly AskableField[])[]): number =>
  100 + asked.flat().reduce((sum, field) => sum + answerTokens[field], asked.length * tokensPerAnswer);

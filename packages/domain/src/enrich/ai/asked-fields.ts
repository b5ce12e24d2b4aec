import { type AskableField, askableFields, type SentProduct } from './answer.ts';

/** A shorter description is worth asking about. */
const descriptionCharsEnough = 200;

/** Fields to ask about: empty ones, a short description, then remarks. Without a title a model would have to invent. */
export function askedFields(product: SentProduct, chosen: readonly AskableField[]): AskableField[] {
  if (product.title === undefined) return [];
  const isWorth: Record<AskableField, boolean> = {
    description: (product.description ?? '').length < descriptionCharsEnough,
    type: product.type === undefined,
    vendor: product.vendor === undefined,
    tags: product.tags === undefined,
    flags: product.description !== undefined,
  };
  // In one order and each once, because answers are found by a hash of the fields.
  const fields = askableFields.filter((field) => chosen.includes(field) && isWorth[field]);
  return fields.some((field) => field !== 'flags') ? fields : [];
}

/** Tokens that an answer about a product may take, by field, with its evidence, its name and punctuation. */
const answerTokens: Record<AskableField, number> = {
  description: 700,
  type: 60,
  vendor: 60,
  tags: 150,
  flags: 120,
};
const tokensPerAnswer = 120;

/** The token limit of an answer about products with these fields. */
export const answerTokensMax = (asked: readonly (readonly AskableField[])[]): number =>
  100 + asked.flat().reduce((sum, field) => sum + answerTokens[field], asked.length * tokensPerAnswer);

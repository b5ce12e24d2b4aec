import { answerSchema, type ProductAnswer } from './answer.ts';

/** Answers by id, and ids of the request without a usable answer. */
export type ReadAnswer = { answers: Map<string, ProductAnswer>; malformed: string[] };

/**
 * Parses the answer to a request about the products with these ids. One that breaks the schema is malformed for all of
 * them; so is one with an id that was not sent. A product with two answers has none.
 */
export function readAnswer(value: unknown, ids: readonly string[]): ReadAnswer {
  const parsed = answerSchema.safeParse(value);
  const none: ReadAnswer = { answers: new Map(), malformed: [...ids] };
  if (!parsed.success) return none;
  const { products } = parsed.data;
  if (products.some(({ id }) => !ids.includes(id))) return none;
  const answers = new Map<string, ProductAnswer>();
  for (const answer of products) {
    const isOnlyOne = products.filter(({ id }) => id === answer.id).length === 1;
    if (isOnlyOne) answers.set(answer.id, answer);
  }
  return { answers, malformed: ids.filter((id) => !answers.has(id)) };
}

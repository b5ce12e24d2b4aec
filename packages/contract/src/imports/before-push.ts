import { allAnswers } from '@draftshelf/domain/reading/column-questions';
import { z } from 'zod';

const count = z.number().int();

/** A fact of a whole import that the operator should know before a push. */
const PushFact = z.object({
  /** A kind of the domain's facts. It is a string, so that a page can show a kind that only a newer server has. */
  kind: z.string(),
  count,
  /** What is counted. */
  of: z.enum(['row', 'product', 'picture', 'value', 'column']),
  sentence: z.string(),
  /** The rows of the fact are those with this issue. */
  issue: z.string().optional(),
  /** A required field without a column, and columns that may hold it, best first. */
  field: z.string().optional(),
  columns: z.array(z.string()).optional(),
  /** The answers to a question about how its column is read, in words. */
  answers: z.array(z.object({ reading: z.enum(allAnswers), words: z.string() })).optional(),
  /** The other import that the fact is about. */
  other: z.object({ id: z.string(), filename: z.string() }).optional(),
});
export type PushFact = z.infer<typeof PushFact>;

/** What the operator should know before an import is pushed: at most five facts, the most important first. */
export const BeforePush = z.object({
  facts: z.array(PushFact),
  /** The products that a push sends, of all; null if something was pushed, and no plan of the next push is current. */
  scope: z.object({ sent: count, of: count }).nullable(),
  /**
   * Products that need the operator: without a title or a valid price, and neither left out of the push nor sent
   * anyway.
   */
  open: count,
});
export type BeforePush = z.infer<typeof BeforePush>;

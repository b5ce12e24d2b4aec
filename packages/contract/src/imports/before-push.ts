import { allReadingAnswers } from '@draftshelf/domain/reading/column-questions';
import { z } from 'zod';
import { count } from '../values.ts';

const PushFact = z.object({
  /** A string, so that an older page can show a kind that a newer server added. */
  kind: z.string(),
  count,
  of: z.enum(['row', 'product', 'picture', 'value', 'column']),
  sentence: z.string(),
  issue: z.string().optional(),
  field: z.string().optional(),
  columns: z.array(z.string()).readonly().optional(),
  answers: z
    .array(z.object({ reading: z.enum(allReadingAnswers), words: z.string() }))
    .readonly()
    .optional(),
  other: z.object({ id: z.string(), filename: z.string() }).optional(),
});
export type PushFact = z.infer<typeof PushFact>;

/** Facts for the operator before a push: at most five, the most important first. */
export const PrePushFacts = z.object({
  facts: z.array(PushFact),
  /** Number of products to send, and of all products. Null if unknown; after a push, only a current plan has them. */
  scope: z.object({ sent: count, of: count }).nullable(),
  /** Number of products without a title or valid price that are neither left out nor sent anyway. */
  open: count,
});
export type PrePushFacts = z.infer<typeof PrePushFacts>;

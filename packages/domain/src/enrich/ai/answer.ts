import { z } from 'zod';

/** The fields that an AI service can be asked about. 'flags' are remarks about a product; they change nothing. */
export const askableFields = ['description', 'type', 'vendor', 'tags', 'flags'] as const;
export type AskableField = (typeof askableFields)[number];

/** The fields whose answers become proposals. */
export type ProposableField = Exclude<AskableField, 'flags'>;

/** The values of one product that are sent to an AI service. Facts of an answer have to be in them. */
export type SentProduct = {
  title?: string;
  description?: string;
  vendor?: string;
  type?: string;
  tags?: readonly string[];
  options?: readonly { name: string; values: readonly string[] }[];
  /** Columns of the file that are mapped to no field. */
  columns?: readonly { name: string; value: string }[];
};

export const flagFields = ['title', 'description', 'vendor', 'type', 'tags'] as const;
export const flagReasons = [
  'title-unlike-description',
  'brand-unlike-title',
  'two-products-in-one',
  'not-a-product',
  'wrong-language-mixed',
] as const;

const flagSchema = z.strictObject({ field: z.enum(flagFields), reason: z.enum(flagReasons) });
export type AnswerFlag = z.infer<typeof flagSchema>;

/**
 * The answer about one product. Every property is required and the only union is null, because servers differ in what
 * they support of JSON Schema. Evidence quotes the values that support an answer; it is empty where the answer is null.
 */
export const productAnswerSchema = z.strictObject({
  id: z.string(),
  description: z.string().nullable(),
  type: z.string().nullable(),
  brand: z.string().nullable(),
  tags: z.array(z.string()),
  evidence: z.strictObject({
    description: z.array(z.string()),
    type: z.array(z.string()),
    brand: z.array(z.string()),
    tags: z.array(z.string()),
  }),
  flags: z.array(flagSchema),
});
export type ProductAnswer = z.infer<typeof productAnswerSchema>;

/** The answer to one request: `z.toJSONSchema` makes of it the schema that is sent. */
export const answerSchema = z.strictObject({ products: z.array(productAnswerSchema) });

/** Why a value of an answer is not used. 'unchanged' values are left out without being counted as refused. */
export type DropCause = 'malformed' | 'facts' | 'length' | 'html' | 'other' | 'unchanged';

/** The check that a value failed. Those after 'number' belong to the cause 'facts'. */
export type FactCheck = 'number' | 'size' | 'unit' | 'brand' | 'evidence' | 'words';

/** A check that failed, with the words that failed it. */
export type Failure =
  | { cause: 'facts'; check: FactCheck; found: string }
  | { cause: Exclude<DropCause, 'facts' | 'malformed'>; found: string };

/** A value that passed all checks. `evidence` are quotes that occur in the values that were sent. */
export type AcceptedValue = { field: ProposableField; value: string; evidence: string[] };
export type DroppedValue = { field: ProposableField; value: string; failure: Failure };

/** What is used of an answer. Values that were not asked for are in neither list. */
export type CheckedAnswer = { accepted: AcceptedValue[]; dropped: DroppedValue[]; flags: AnswerFlag[] };

/** One product of a request with what the checks need to know about it. */
export type AskedProduct = {
  product: SentProduct;
  asked: readonly AskableField[];
  /** Present product types of the import and of the store. */
  types: readonly string[];
};

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

/** Answers by id, and ids of the request without a usable answer. */
type ReadAnswer = { answers: Map<string, ProductAnswer>; malformed: string[] };

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

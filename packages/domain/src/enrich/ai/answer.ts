import { z } from 'zod';

/** The fields that an AI service can be asked about. `flags` are remarks about a product, which change no value. */
export const askableFields = ['description', 'type', 'vendor', 'tags', 'flags'] as const;
export type AskableField = (typeof askableFields)[number];

/** The fields whose answers become proposals. */
export type ProposableField = Exclude<AskableField, 'flags'>;

/** The values of one product that are sent to an AI service. All facts of an answer must come from these values. */
export type SentProduct = {
  title?: string;
  description?: string;
  vendor?: string;
  type?: string;
  tags?: readonly string[];
  options?: readonly { name: string; values: readonly string[] }[];
  /** Columns of the file that are not mapped to a field. */
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

/** All properties are required, and unions are only with null, because servers support only parts of JSON Schema. */
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

/** The answer to one request, and the source of the JSON Schema that is sent. */
export const answerSchema = z.strictObject({ products: z.array(productAnswerSchema) });

/** Causes for dropping a value of an answer. `unchanged`: the product already has the value; not counted as refused. */
export type DropCause = 'malformed' | 'facts' | 'length' | 'html' | 'other' | 'unchanged';

/** The checks of facts. A value that fails one of them is dropped for the cause `facts`. */
export type FactCheck = 'number' | 'size' | 'unit' | 'brand' | 'evidence' | 'words';

export type ValueFailure =
  | { cause: 'facts'; check: FactCheck; found: string }
  | { cause: Exclude<DropCause, 'facts' | 'malformed'>; found: string };

/** `evidence` has quotes from the sent values. */
export type AcceptedValue = { field: ProposableField; value: string; evidence: string[] };
export type DroppedValue = { field: ProposableField; value: string; failure: ValueFailure };

/** A value that was not asked for is neither accepted nor dropped. */
export type CheckedAnswer = { accepted: AcceptedValue[]; dropped: DroppedValue[]; flags: AnswerFlag[] };

export type AskedProduct = {
  product: SentProduct;
  asked: readonly AskableField[];
  /** The product types that the import and the store already have. */
  types: readonly string[];
};

const sentences: Record<AnswerFlag['reason'], string> = {
  'title-unlike-description': 'The title and the description seem to be about different products.',
  'brand-unlike-title': 'The brand and the title don’t seem to belong together.',
  'two-products-in-one': 'These look like two products in one.',
  'not-a-product': 'This doesn’t look like a product.',
  'wrong-language-mixed': 'The texts seem to be in several languages.',
};

/** Returns the remarks about a product as sentences for the operator, or null if there are none. */
export function flagSentence(flags: readonly AnswerFlag[]): string | null {
  const texts = [...new Set(flags.map(({ reason }) => sentences[reason]))];
  return texts.length === 0 ? null : `AI remarks: ${texts.join(' ')}`;
}

/** Returns valid answers by id. Drops products that are answered twice, and every answer if an id is not in `ids`. */
export function readAnswer(value: unknown, ids: readonly string[]): Map<string, ProductAnswer> {
  const answers = new Map<string, ProductAnswer>();
  const products = answerSchema.safeParse(value).data?.products ?? [];
  if (products.some(({ id }) => !ids.includes(id))) return answers;
  for (const answer of products) {
    const isOnlyOne = products.filter(({ id }) => id === answer.id).length === 1;
    if (isOnlyOne) answers.set(answer.id, answer);
  }
  return answers;
}

/** The sources of product data by GTIN, in their default order. */
export const sourceNames = ['upcitemdb', 'open-products-facts', 'barcode-lookup'] as const;
export type SourceName = (typeof sourceNames)[number];

/** Calls of a window or a day, both ends included. */
export const quotaRange = { min: 1, max: 1_000_000 } as const;

export const sourceLabels: Record<SourceName, string> = {
  upcitemdb: 'UPCitemdb',
  'open-products-facts': 'Open Products Facts',
  'barcode-lookup': 'Barcode Lookup',
};

export const keyedSources = ['upcitemdb', 'barcode-lookup'] as const satisfies readonly SourceName[];
export type KeyedSource = (typeof keyedSources)[number];

/** The operator's own knowledge: values confirmed by edits or pushes of earlier imports. */
export const ownSource = 'own';
/** Our copy of the connected store. */
export const storeSource = 'store';

/** Source of the values of an added scanner product for which the file has no column. */
export const scannerSource = 'scanner';

/** Pictures of the import's own archive or workbook. */
export const fileSource = 'file';

/** The operator's rules, and the AI service. Their newer proposal for a field replaces an open one. */
export const ruleSource = 'rule';
export const aiSource = 'ai';

/** The supplier, with another value than when the operator set one. */
export const supplierSource = 'supplier';

/** Earlier lists, which had a product before it was no longer listed. */
export const backSource = 'back';

export function sourceLabel(source: string): string {
  if (source === ownSource) return 'your earlier imports';
  if (source === storeSource) return 'your store';
  if (source === scannerSource) return 'Product Scanner';
  if (source === ruleSource) return 'your rules';
  if (source === aiSource) return 'AI';
  if (source === supplierSource) return 'the supplier';
  if (source === backSource) return 'earlier lists';
  if (source === fileSource) return 'the pictures in the file';
  if (source === 'row') return 'another column of this row';
  return (sourceLabels as Record<string, string>)[source] ?? source;
}

/** A source's answer about a GTIN. Null and an empty list: no data. */
export type SourceAnswer = {
  title: string | null;
  brand: string | null;
  description: string | null;
  category: string | null;
  /** The best first. */
  images: string[];
  /** Required credit with the licence. */
  attribution: string | null;
  /** Whether the pictures' licence requires that attribution. */
  picturesNeedCredit: boolean;
};

/** A miss is true: the source does not know the code. */
export type SourceReply =
  | { kind: 'hit'; answer: SourceAnswer }
  | { kind: 'miss' }
  /** No further calls until then; null: unknown. */
  | { kind: 'quota'; until: Date | null }
  /** A failure: the source is broken, refuses our key, or answers something else. `cause` is a sentence. */
  | { kind: 'failure'; cause: string };

/** A title is only ever proposed. */
export const lookupFields = ['image', 'vendor', 'description', 'type'] as const;
export type LookupField = (typeof lookupFields)[number];
export type ProposedField = LookupField | 'title';

/** The value that an answer has for a field of a product. */
export const answeredValue = (answer: SourceAnswer, field: ProposedField): string | null =>
  ({
    title: answer.title,
    image: answer.images[0] ?? null,
    vendor: answer.brand,
    description: answer.description,
    type: answer.category,
  })[field];

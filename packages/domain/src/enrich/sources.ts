/** The sources of product data by GTIN, in their default order. */
export const sourceNames = ['upcitemdb', 'open-products-facts', 'barcode-lookup'] as const;
export type SourceName = (typeof sourceNames)[number];

/** The range of calls per window or day, with both ends included. */
export const quotaRange = { min: 1, max: 1_000_000 } as const;

export const sourceLabels: Record<SourceName, string> = {
  upcitemdb: 'UPCitemdb',
  'open-products-facts': 'Open Products Facts',
  'barcode-lookup': 'Barcode Lookup',
};

export const sourcesWithKey = ['upcitemdb', 'barcode-lookup'] as const satisfies readonly SourceName[];
export type KeyedSource = (typeof sourcesWithKey)[number];

/** The operator's own answers: values confirmed by edits or pushes of earlier imports. */
export const ownAnswersSource = 'own';
/** Answers from our copy of the connected store. */
export const storeSource = 'store';

/** The scanner, as the source of an added product's values that have no column in the file. */
export const scannerSource = 'scanner';

/** The source of pictures from the import's own archive or workbook. */
export const fileSource = 'file';

/** The operator's rules and the AI service. A newer proposal from them replaces an open one for the same field. */
export const ruleSource = 'rule';
export const aiSource = 'ai';

/** The supplier, as the source of a value that changed after the operator edited it. */
export const supplierSource = 'supplier';

/** The source of the former status that is proposed for a gone product when it is listed again. */
export const relistedSource = 'back';

export function sourceLabel(source: string): string {
  if (source === ownAnswersSource) return 'your earlier imports';
  if (source === storeSource) return 'your store';
  if (source === scannerSource) return 'Product Scanner';
  if (source === ruleSource) return 'your rules';
  if (source === aiSource) return 'AI';
  if (source === supplierSource) return 'the supplier';
  if (source === relistedSource) return 'earlier lists';
  if (source === fileSource) return 'the pictures in the file';
  if (source === 'row') return 'another column of this row';
  return (sourceLabels as Record<string, string>)[source] ?? source;
}

/** A source's answer about a GTIN. Null and an empty list mean that the source has no data. */
export type SourceAnswer = {
  title: string | null;
  brand: string | null;
  description: string | null;
  category: string | null;
  /** The best picture comes first. */
  images: string[];
  /** The credit that a license requires, with the license. */
  attribution: string | null;
  /** True if the license of the pictures requires the attribution. */
  picturesNeedCredit: boolean;
};

/** A `miss` means that the source does not have the code. */
export type SourceReply =
  | { kind: 'hit'; answer: SourceAnswer }
  | { kind: 'miss' }
  /** No call may be made until this time. Null if the time is unknown. */
  | { kind: 'quota'; until: Date | null }
  /** The source is broken, refuses our key, or sends something unexpected. `cause` is a sentence. */
  | { kind: 'failure'; cause: string };

/** The fields that look-ups fill. A title is only proposed and never filled. */
export const lookupFields = ['image', 'vendor', 'description', 'type'] as const;
export type LookupField = (typeof lookupFields)[number];
export type ProposedField = LookupField | 'title';

/** Returns the value that an answer has for a field of a product. */
export const valueOfAnswer = (answer: SourceAnswer, field: ProposedField): string | null =>
  ({
    title: answer.title,
    image: answer.images[0] ?? null,
    vendor: answer.brand,
    description: answer.description,
    type: answer.category,
  })[field];

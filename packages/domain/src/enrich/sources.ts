/** The sources of product data by GTIN, in their default order. */
export const sourceNames = ['upcitemdb', 'open-products-facts', 'barcode-lookup'] as const;
export type SourceName = (typeof sourceNames)[number];

/** The calls of a window or a day that can be set as a source's quota, both ends included. */
export const quotaRange = { min: 1, max: 1_000_000 } as const;

/** What operators read. */
export const sourceLabels: Record<SourceName, string> = {
  upcitemdb: 'UPCitemdb',
  'open-products-facts': 'Open Products Facts',
  'barcode-lookup': 'Barcode Lookup',
};

/** Those that take a key. */
export const keyedSources = ['upcitemdb', 'barcode-lookup'] as const satisfies readonly SourceName[];
export type KeyedSource = (typeof keyedSources)[number];

/** The operator's own knowledge: values confirmed by edits or pushes of earlier imports. */
export const ownSource = 'own';
/** Our copy of the connected store. */
export const storeSource = 'store';

/** A product of the scanner's library that was added to the import: values that no column of the file takes. */
export const scannerSource = 'scanner';

/** Pictures of the import's own archive or workbook. */
export const fileSource = 'file';

/** The operator's rules, and the AI service. A newer proposal of theirs for a field replaces an open one. */
export const ruleSource = 'rule';
export const aiSource = 'ai';

/** The supplier, who says something else now than when the operator set a value. */
export const supplierSource = 'supplier';

/** Earlier lists, which had a product before it was no longer listed. */
export const backSource = 'back';

/** The label of a found value's source: a source, the operator's own knowledge, or the row itself. */
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

/** What a source says about a GTIN. Null and an empty list: it says nothing. */
export type SourceAnswer = {
  title: string | null;
  brand: string | null;
  description: string | null;
  category: string | null;
  /** Addresses of pictures, the best first. */
  images: string[];
  /** Whom the source asks to name, and the licence; null: nobody. */
  attribution: string | null;
  /** Whether the licence of the pictures asks for that attribution where they are shown. */
  picturesNeedCredit: boolean;
};

/** A source's reply about one GTIN. A miss is true: it does not know the code. */
export type SourceReply =
  | { kind: 'hit'; answer: SourceAnswer }
  | { kind: 'miss' }
  /** No more calls until then; null: it did not say when. */
  | { kind: 'quota'; until: Date | null }
  /** It is broken, refuses our key, or answers something else; `cause` is a sentence. */
  | { kind: 'failure'; cause: string };

/** The fields that look-ups fill. A title is only ever proposed. */
export const lookupFields = ['image', 'vendor', 'description', 'type'] as const;
export type LookupField = (typeof lookupFields)[number];
export type ProposedField = LookupField | 'title';

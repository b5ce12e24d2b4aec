import { type CanonicalField, canonicalFields, coreFields, fieldSpecs } from './canonical-fields.ts';
import { type Candidate, type CandidateKind, candidatesOf } from './header-candidates.ts';
import { columnNames, headerWords } from './header-words.ts';

export type ColumnMatch = {
  index: number;
  /** The column's unique name: repeated headers are numbered, empty ones are 'Column N'. */
  header: string;
  field: CanonicalField | null;
  /** 0 to 1; 0 if the column has no field. */
  confidence: number;
  reason: string;
};

/** JSON-serializable. It is stored with the import, so that every reader of its rows uses the same mapping. */
export type HeaderMapping = {
  columns: ColumnMatch[];
  /** Column indexes by field, best first: the first non-empty value is used. */
  sources: Partial<Record<CanonicalField, number[]>>;
};

/**
 * Maps columns to fields by their headers: known names, names inside longer headers, Levenshtein similarity, and
 * stand-ins for fields without a better column. Other columns have `field: null`.
 *
 * `_sample`: the cells of the first rows, from which the values of a column could be judged. It is not used yet.
 */
export function mapHeaders(
  headers: readonly string[],
  _sample: readonly (readonly string[])[] = [],
): HeaderMapping {
  const names = columnNames(headers);
  const found = headers.flatMap((header, index) => candidatesOf(header, index));
  const candidates = hasMaterials(headers, found)
    ? found.filter(({ index }) => headerKey(headers[index] as string) !== 'material')
    : found;
  const draft: Draft = {
    candidates: isManifest(headers) ? descriptionAsTitle(candidates) : candidates,
    taken: new Map(),
    sources: {},
  };
  assign(draft, coreFields, ['name', 'namePart']);
  addRowKeys(draft, headers);
  assign(draft, coreFields, ['similar']);
  assign(draft, coreFields, ['standIn']);
  assign(draft, furtherFields, ['name', 'namePart']);
  assign(draft, furtherFields, ['standIn', 'similar']);
  assign(draft, coreFields, ['nameWithin']);
  addRowKeys(draft, headers);
  addMoreImages(draft);
  // Without a SKU column the item number is also the SKU, so that variants can be identified in the store.
  if (!draft.sources.sku && draft.sources.itemNumber) draft.sources.sku = draft.sources.itemNumber;

  const columns = names.map((header, index): ColumnMatch => {
    const match = draft.taken.get(index);
    if (match) {
      return { index, header, field: match.field, confidence: match.confidence, reason: match.reason };
    }
    const other = draft.candidates.find((candidate) => candidate.index === index);
    const reason = other ? `A better match for ${other.field} was found` : 'No known header';
    return { index, header, field: null, confidence: 0, reason };
  });
  return { columns, sources: draft.sources };
}

type Draft = {
  candidates: readonly Candidate[];
  taken: Map<number, Candidate>;
  sources: Partial<Record<CanonicalField, number[]>>;
};

const furtherFields = canonicalFields.filter((field) => !coreFields.includes(field));

/** Assigns to each unmapped field of `fields` its best unmapped column, highest confidence first. */
function assign(draft: Draft, fields: readonly CanonicalField[], kinds: readonly CandidateKind[]): void {
  const open = draft.candidates
    .filter((candidate) => kinds.includes(candidate.kind) && fields.includes(candidate.field))
    .sort(
      (a, b) =>
        b.confidence - a.confidence ||
        fields.indexOf(a.field) - fields.indexOf(b.field) ||
        a.rank - b.rank ||
        a.ordinal - b.ordinal ||
        a.index - b.index,
    );
  for (const candidate of open) {
    if (draft.sources[candidate.field] || draft.taken.has(candidate.index)) continue;
    draft.sources[candidate.field] = [candidate.index];
    draft.taken.set(candidate.index, candidate);
  }
}

/** If a field's column is one of its row keys, columns of its other row keys become fallbacks, in their order. */
function addRowKeys(draft: Draft, headers: readonly string[]): void {
  const keys = headers.map(headerKey);
  for (const field of canonicalFields) {
    const sources = draft.sources[field];
    const order = fieldSpecs[field].rowKeys.map(headerKey);
    if (!sources || !order.includes(keys[sources[0] ?? -1] ?? '')) continue;
    for (const [rank, key] of order.entries()) {
      const index = keys.findIndex((other, at) => other === key && !draft.taken.has(at));
      if (index < 0) continue;
      const reason = `Fallback for ${field}`;
      draft.taken.set(index, { index, field, kind: 'name', confidence: 0.9, rank, ordinal: 0, reason });
      sources.push(index);
    }
    sources.sort((a, b) => order.indexOf(keys[a] ?? '') - order.indexOf(keys[b] ?? ''));
  }
}

/** Maps the other image columns; the product gets the images of all of them. */
function addMoreImages(draft: Draft): void {
  const more = draft.candidates
    .filter((candidate) => candidate.field === 'image' && candidate.kind !== 'similar')
    .filter((candidate) => !draft.taken.has(candidate.index))
    .sort((a, b) => a.ordinal - b.ordinal || a.index - b.index);
  if (more.length === 0) return;
  for (const candidate of more) {
    draft.taken.set(candidate.index, { ...candidate, field: 'moreImages', reason: 'Additional image' });
  }
  draft.sources.moreImages = more.map((candidate) => candidate.index);
}

/** Whether these are the headers of a liquidation manifest. */
function isManifest(headers: readonly string[]): boolean {
  return headers.some((header) => /\b(?:pallet|lpn|manifest|unit retail|ext\.? retail)\b/i.test(header));
}

/** Manifests put the product name into the description. If there is no title column, the description is the title. */
function descriptionAsTitle(candidates: readonly Candidate[]): readonly Candidate[] {
  if (candidates.some((candidate) => candidate.field === 'title')) return candidates;
  const description = candidates.find(({ field, kind }) => field === 'description' && kind === 'name');
  return candidates.map((candidate) =>
    candidate === description
      ? {
          ...candidate,
          field: 'title',
          confidence: 0.8,
          reason: 'Used as title: this manifest has no title column',
        }
      : candidate,
  );
}

/**
 * Whether a column 'Material' says what products are made of. It does if the products have a title column; otherwise,
 * and next to the headings of SAP stock lists, it is an article number.
 */
function hasMaterials(headers: readonly string[], candidates: readonly Candidate[]): boolean {
  return (
    candidates.some(({ field, kind }) => field === 'title' && (kind === 'name' || kind === 'namePart')) &&
    !headers.some((header) => materialText.test(header.trim()))
  );
}

const materialText = /^(?:material[ _](?:desc|number|no\b)|texto breve|materialkurztext)/i;

const headerKey = (header: string): string => headerWords(header).join('');

/**
 * `fieldMapping` of a job, as the wire has it: for every field the name of its first column, or null. `brand` repeats
 * `vendor`, because the specification has both names.
 */
export function fieldMappingOf(mapping: HeaderMapping): Record<string, string | null> {
  const headerOf = (field: CanonicalField): string | null =>
    mapping.columns[mapping.sources[field]?.[0] ?? -1]?.header ?? null;
  return {
    ...Object.fromEntries(canonicalFields.map((field) => [field, headerOf(field)])),
    brand: headerOf('vendor'),
  };
}

import { bestAssignment, type Pair } from './assignment.ts';
import { attributeOptions } from './attribute-options.ts';
import { type CanonicalField, canonicalFields, coreFields, fieldSpecs } from './canonical-fields.ts';
import { type ColumnEvidence, columnEvidence } from './column-evidence.ts';
import { type FieldCandidate, fieldCandidates } from './field-candidates.ts';
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
  /** The headers of columns such as 'Color' that hold option values: they are the names of the options. */
  optionNames?: Partial<Record<CanonicalField, string>>;
};

/**
 * Maps columns to fields by their headers and by the values of the sample. Every pair of a column and a field is scored:
 * by the header's name, how well the values fit, and, where the header says nothing, by the values alone. One assignment
 * with the best total score follows. Columns that are left over have `field: null`.
 * @param headers the header's cells
 * @param sample cells of the first rows, at most 200; empty if nothing is known of the values
 */
export function mapHeaders(
  headers: readonly string[],
  sample: readonly (readonly string[])[] = [],
): HeaderMapping {
  const evidence = headers.map((_, index): ColumnEvidence => columnEvidence(sample.map((row) => row[index])));
  const candidates = fieldCandidates(headers, evidence);
  const draft = assign(candidates, new Map());
  const reserved = rowKeyColumns(draft, headers);
  const matches = reserved.size === 0 ? draft : assign(candidates, reserved);
  const sources: HeaderMapping['sources'] = {};
  for (const { field, index } of matches.values()) sources[field] = [index];
  dropUnclear(matches, sources);
  addRowKeys(matches, sources, headers);
  addMoreImages(matches, sources, candidates);
  // Without a SKU column the item number is also the SKU, so that variants can be identified in the store.
  if (!sources.sku && sources.itemNumber) sources.sku = sources.itemNumber;
  const optionNames = addOptions(matches, sources, headers, sample);
  return {
    columns: columnsOf(headers, matches, candidates),
    sources,
    ...(optionNames === undefined ? {} : { optionNames }),
  };
}

/** The candidate that each column got, by column. */
type Matches = Map<number, FieldCandidate>;

function assign(
  candidates: readonly FieldCandidate[],
  reserved: ReadonlyMap<number, CanonicalField>,
): Matches {
  const open = candidates.filter(
    ({ index, field }) => (reserved.get(index) ?? field) === field || !reserved.has(index),
  );
  const byPair = new Map<string, FieldCandidate>();
  for (const candidate of open) {
    if (reserved.has(candidate.index)) continue;
    const key = `${candidate.field} ${candidate.index}`;
    if (candidate.worth > (byPair.get(key)?.worth ?? 0)) byPair.set(key, candidate);
  }
  const pairs = [...byPair.values()].map(
    ({ field, index, worth }): Pair => ({ row: canonicalFields.indexOf(field), column: index, worth }),
  );
  const matches: Matches = new Map();
  for (const [row, column] of bestAssignment(pairs)) {
    const match = byPair.get(`${canonicalFields[row]} ${column}`);
    if (match) matches.set(column, match);
  }
  return matches;
}

const headerKey = (header: string): string => headerWords(header).join('');

/**
 * Columns of the other row keys of core fields whose column is a row key. They are fallbacks of that field, and no
 * stand-ins for others.
 */
function rowKeyColumns(matches: Matches, headers: readonly string[]): Map<number, CanonicalField> {
  const keys = headers.map(headerKey);
  const reserved = new Map<number, CanonicalField>();
  for (const { index, field } of matches.values()) {
    const order = fieldSpecs[field].rowKeys.map(headerKey);
    if (!coreFields.includes(field) || !order.includes(keys[index] ?? '')) continue;
    for (const [at, key] of keys.entries()) {
      const match = matches.get(at);
      if (at === index || !order.includes(key)) continue;
      if (match && coreFields.includes(match.field) && match.kind.startsWith('name')) continue;
      reserved.set(at, field);
    }
  }
  return reserved;
}

/** If a field's column is one of its row keys, columns of its other row keys become fallbacks, in their order. */
function addRowKeys(matches: Matches, sources: HeaderMapping['sources'], headers: readonly string[]): void {
  const keys = headers.map(headerKey);
  for (const field of canonicalFields) {
    const columns = sources[field];
    const order = fieldSpecs[field].rowKeys.map(headerKey);
    if (!columns || !order.includes(keys[columns[0] ?? -1] ?? '')) continue;
    for (const key of order) {
      const index = keys.findIndex((other, at) => other === key && !matches.has(at));
      if (index < 0) continue;
      const reason = `Fallback for ${field}`;
      matches.set(index, { index, field, kind: 'name', confidence: 0.9, worth: 0, ordinal: 0, reason });
      columns.push(index);
    }
    columns.sort((a, b) => order.indexOf(keys[a] ?? '') - order.indexOf(keys[b] ?? ''));
  }
}

/** Maps the other image columns; the product gets the images of all of them. */
function addMoreImages(
  matches: Matches,
  sources: HeaderMapping['sources'],
  candidates: readonly FieldCandidate[],
): void {
  const more = candidates
    .filter(({ field, kind }) => field === 'image' && kind !== 'similar')
    .filter(({ index }) => !matches.has(index))
    .sort((a, b) => a.ordinal - b.ordinal || a.index - b.index);
  if (more.length === 0) return;
  for (const candidate of more) {
    matches.set(candidate.index, { ...candidate, field: 'moreImages', reason: 'Additional image' });
  }
  sources.moreImages = [...new Set(more.map(({ index }) => index))];
}

const optionNameOf: Partial<Record<CanonicalField, CanonicalField>> = {
  option1Value: 'option1Name',
  option2Value: 'option2Name',
  option3Value: 'option3Name',
};

/** In a file whose rows group into products, columns such as 'Color' and 'Size' hold the options of the variants. */
function addOptions(
  matches: Matches,
  sources: HeaderMapping['sources'],
  headers: readonly string[],
  sample: readonly (readonly string[])[],
): HeaderMapping['optionNames'] {
  const [group] = sources.parentSku ?? sources.handle ?? [];
  if (group === undefined || sources.option1Value || sources.option2Value || sources.option3Value)
    return undefined;
  const options = attributeOptions(headers, sample, group, (index) => matches.has(index));
  if (options.length === 0) return undefined;
  const names: HeaderMapping['optionNames'] = {};
  for (const { index, field } of options) {
    const name = optionNameOf[field];
    if (name) names[name] = (headers[index] as string).trim();
    sources[field] = [index];
    const reason = 'The rows of a product differ in it';
    matches.set(index, { index, field, kind: 'values', confidence: 0.8, worth: 0, ordinal: 0, reason });
  }
  return names;
}

/** Below this confidence a match is a guess (npm run bench:mapping prints how often guesses are right). */
const guessBelow = 0.5;

/** A file with a guessed title and a guessed price would look ready. The less certain of the two stays open. */
function dropUnclear(matches: Matches, sources: HeaderMapping['sources']): void {
  const [title, price] = [sources.title, sources.price].map((columns) => matches.get(columns?.[0] ?? -1));
  if (!title || !price || Math.max(title.confidence, price.confidence) >= guessBelow) return;
  const dropped = title.confidence < price.confidence ? title : price;
  matches.delete(dropped.index);
  delete sources[dropped.field];
}

function columnsOf(
  headers: readonly string[],
  matches: Matches,
  candidates: readonly FieldCandidate[],
): ColumnMatch[] {
  return columnNames(headers).map((header, index) => {
    const match = matches.get(index);
    if (match) {
      return { index, header, field: match.field, confidence: round(match.confidence), reason: match.reason };
    }
    const other = candidates.find((candidate) => candidate.index === index && candidate.kind !== 'values');
    const reason = other ? `A better match for ${other.field} was found` : 'No known header';
    return { index, header, field: null, confidence: 0, reason };
  });
}

const round = (value: number): number => Math.round(value * 100) / 100;

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

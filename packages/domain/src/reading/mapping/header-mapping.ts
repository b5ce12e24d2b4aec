import {
  type CanonicalField,
  canonicalFields,
  fieldSpecs,
  labelInSentence,
  optionFields,
  optionValueFields,
  type RowField,
  type ValuesByField,
} from '../../base/canonical-fields.ts';
import { cleanFieldText } from '../../base/field-text.ts';
import { codeAndSizeFields, isDateWithYear } from '../../base/made-date.ts';
import { isMetafieldField, type MappedMetafield } from '../../base/metafields.ts';
import { hasTwiceEncodedTexts } from '../../base/twice-encoded.ts';
import { findWeightUnit, type WeightUnit } from '../../base/weight.ts';
import type { ColumnAnswers } from '../column-questions.ts';
import {
  type ColumnReadings,
  createAmountCounter,
  undefinedIfEmpty,
  withReadings,
} from '../column-readings.ts';
import { areOptionLists } from '../option-pairs.ts';
import { currencyInTitles, isListedCurrency, piecesInHeader } from '../price-headers.ts';
import { findReducedPrice, type ReducedPrice } from '../reduced-prices.ts';
import { assignFields, type FieldAssignment } from './assign-fields.ts';
import { findAttributeColumns } from './attribute-options.ts';
import { type ColumnEvidence, collectEvidence, filledCells, type Sample } from './column-evidence.ts';
import { type CommandColumns, findCommandColumns } from './command-columns.ts';
import { findFieldCandidates } from './field-candidates.ts';
import { type FieldCandidate, isKnownName } from './header-candidates.ts';
import { columnNames, headerKey, headerWords, isMeaninglessHeader } from './header-words.ts';
import { findWarehouseColumns, isSumColumn } from './quantity-parts.ts';
import { findUnsentColumns, findVariantColumn, type UnsentColumns } from './unsent-columns.ts';

export type ColumnMatch = {
  index: number;
  /** The column's unique name: repeated headers are numbered, empty ones are 'Column N'. */
  header: string;
  field: RowField | null;
  /** 0 to 1; 0 if the column has no field. */
  confidence: number;
  reason: string;
  /** The source of the field if it was not detected: the operator, for this file or for an earlier similar file. */
  setBy?: MappingOverride['by'];
  /** The name of the earlier file, if the field was set for that file. */
  rememberedFrom?: string;
};

/**
 * The operator's settings for a column: its `field` (null for none, absent if detected) and the reading of its cells.
 * `from`: the name of the earlier file, if `by` is 'memory'.
 */
export type MappingOverride = {
  field?: RowField | null;
  reading?: ColumnAnswers;
  by: 'operator' | 'memory';
  from?: string;
};

/** Overrides by the column's unique name (columnNames). Names that the file does not have are ignored. */
export type MappingOverrides = Readonly<Record<string, MappingOverride>>;

/** The mapping of a file. It is stored with the import as JSON, so that every reader of rows uses the same mapping. */
export type HeaderMapping = ColumnReadings & {
  columns: ColumnMatch[];
  /** Column indexes by field, best first. The first non-empty value is used. */
  sources: ValuesByField<number[]>;
  /** The store’s definitions of the mapped metafields when the file was read. */
  metafields?: MappedMetafield[];
  /** Names of options, by option field: the headers of columns such as 'Color' that hold option values. */
  optionNames?: Partial<Record<CanonicalField, string>>;
  /** The column whose cells list several options with their names: 'color=Yellow,size=M'. */
  optionCell?: number;
  /** Columns of codes or options whose cells are real dates, not codes that a spreadsheet changed into dates. */
  dateColumns?: number[];
  /** The tracker column is from Shopify's own files, in which an empty cell means that stock is not tracked. */
  emptyTracker?: true;
  /** Further columns of quantities, which are not sent. */
  otherQuantities?: number[];
  /** Quantity columns of other warehouses or shops. Their quantities are added to those of the mapped column. */
  quantityParts?: number[];
  /** Columns whose text was encoded twice, as all of their non-ASCII cells show. */
  twiceEncoded?: number[];
  /** Columns of codes that a program wrote as numbers with decimals: '10045.0'. */
  wholeCodes?: number[];
  /** The currency that the lines above the header name for prices. */
  titleCurrency?: string;
  /** A code that lost its leading zeros in a spreadsheet. `whole`: the code with zeros, from its picture's name. */
  lostZeros?: { column: number; code: string; whole: string };
  /** Rows of products whose names look like the labels of totals lines. */
  namedTotals?: number[];
  /**
   * Columns that link variations to a parent without a SKU. In WooCommerce's exports, 'id:71' names the parent that
   * has 71 in column `ids`. In Shopware's exports (`areKeys`), the cells of column `kinds` are the parents' ids.
   */
  parentIds?: { ids: number; kinds: number; areKeys?: true };
  /** Rows without options are templates of the rows below them, as in Odoo's exports. */
  templates?: true;
  reducedPrice?: ReducedPrice;
  /** The quantity column has only 1 and 0, for available and unavailable. */
  quantityFlags?: true;
  /** The number of pieces that a weight is for, from the header. */
  weightPieces?: number;
  /** Columns whose values are not sent, because they are further prices or may belong to an unmapped field. */
  unsent?: UnsentColumns[];
  /** A column that marks rows as products or variants, if no other column groups variants with their product. */
  variantsApart?: number;
  commands?: CommandColumns;
  /** The unit in the weight column's header, if no column has units. */
  weightUnit?: WeightUnit;
};

const labelledColumnsMin = 4;

/**
 * Returns the sample without rows that have a single cell, because group names and notes show nothing about columns.
 * If most rows have a single cell, returns all rows.
 */
function withoutLabels(sample: Sample, columns: number): Sample {
  const products = sample.filter((row) => row.filter((cell) => cell.trim() !== '').length > 1);
  return columns < labelledColumnsMin || products.length * 2 < sample.length ? sample : products;
}

/**
 * Maps columns to fields by their headers and by the values of the sample. Every pair of a column and a field gets a
 * score: by the header's name, by how well the values fit, and, where the header has no meaning, by the values alone.
 * The assignment with the best total score is used. The other columns have `field: null`.
 * @param headers the header's cells
 * @param sample the cells of the first rows, at most 200; empty if the values are unknown
 * @param overrides fields that the operator has set; no other column gets one of these fields
 * @param titles the lines above the header
 */
export function mapHeaders(
  headers: readonly string[],
  sample: Sample = [],
  overrides: MappingOverrides = {},
  titles: readonly string[] = [],
): HeaderMapping {
  const names = columnNames(headers);
  const set = overriddenColumns(names, overrides);
  const setFields = new Set([...set.values()].map(({ field }) => field));
  const rows = withoutLabels(sample, headers.length);
  const evidence = headers.map((_, index): ColumnEvidence => collectEvidence(rows.map((row) => row[index])));
  const all = findFieldCandidates(headers, evidence);
  const candidates = all.filter(({ index, field }) => !set.has(index) && !setFields.has(field));
  const assigned = assignFields(candidates, headers);
  dropUnclear(assigned);
  const matches: Matches = new Map();
  const sources: Sources = {};
  const assignment = { headers, sample, matches, sources };
  for (const [index, match] of assigned) take(assignment, index, match);
  for (const [index, match] of set) {
    matches.set(index, match);
    if (match.field !== null) sources[match.field] = [...(sources[match.field] ?? []), index];
  }
  addRowKeys(assignment, setFields);
  takeDescriptions(assignment);
  addMoreImages(assignment, all);
  const reducedPrice = addReducedPrice(assignment, { all, evidence, set, setFields });
  const isFree = (index: number) =>
    !matches.has(index) && index !== reducedPrice?.column && index !== reducedPrice?.regular;
  // Without a SKU column the item number is also the SKU, so that variants can be identified in the store.
  if (!sources.sku && sources.itemNumber) sources.sku = sources.itemNumber;
  addParents(assignment);
  addCurrency(assignment);
  const parts = setFields.has('quantity') ? [] : addQuantityParts(assignment, isFree);
  const optionNames = addOptions(assignment) ?? namesOfOptions(set, sources, names);
  const hasTemplates = addListedOptions(assignment);
  const optionCell = optionCellOf(assignment);
  const commands = findCommandColumns(headers, sample);
  const mapping = {
    columns: columnsOf(names, matches, all, { reducedPrice, parts, sources, commands }),
    sources,
    optionNames: optionCell === undefined ? optionNames : undefined,
    optionCell,
    templates: hasTemplates || undefined,
    reducedPrice,
    parentIds: parentIdsIn(assignment),
    dateColumns: undefinedIfEmpty(datesIn(assignment)),
    twiceEncoded: undefinedIfEmpty(twiceEncodedIn(assignment)),
    wholeCodes: undefinedIfEmpty(wholeCodesIn(assignment)),
    quantityParts: undefinedIfEmpty(parts),
    otherQuantities: undefinedIfEmpty(otherQuantitiesIn(assignment, all, parts)),
    emptyTracker:
      headerKey(headers[sources.trackQuantity?.[0] ?? -1] ?? '') === 'variantinventorytracker' || undefined,
    ...unitOfWeights(assignment),
    unsent: undefinedIfEmpty(
      findUnsentColumns(sources, {
        headers,
        evidence,
        isFree: (index) => isFree(index) && !parts.includes(index),
      }),
    ),
    variantsApart: findVariantColumn(sources, headers, sample),
    commands,
    quantityFlags: areQuantityFlags(assignment) || undefined,
    lostZeros: lostZerosIn(assignment),
    titleCurrency: currencyInTitles(titles) ?? undefined,
  };
  const amounts = createAmountCounter(mapping);
  for (const row of sample) amounts.add({ cell: (column) => row[column] });
  return withReadings(mapping, amounts, overrides);
}

/** A column's match: a candidate, or the operator's choice. */
type Match = Omit<ColumnMatch, 'index' | 'header'>;
type Matches = Map<number, Match>;
type Sources = HeaderMapping['sources'];

/** The fields that are assigned to columns so far. */
type Assignment = { headers: readonly string[]; sample: Sample; matches: Matches; sources: Sources };

/** A field that a rule assigns to a column, with the reason. */
type Found = { field: CanonicalField; confidence: number; reason: string };

const matchOf = ({ field, confidence, reason }: Found): Match => ({
  field,
  confidence: Math.round(confidence * 100) / 100,
  reason,
});

/** Assigns a field to a column, as the field's only column. */
function take({ matches, sources }: Assignment, index: number, found: Found): void {
  matches.set(index, matchOf(found));
  sources[found.field] = [index];
}

function overriddenColumns(names: readonly string[], overrides: MappingOverrides): Map<number, Match> {
  const set = new Map<number, Match>();
  for (const [index, name] of names.entries()) {
    const override = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
    if (override?.field === undefined) continue;
    const { field, by, from } = override;
    const reason = by === 'memory' ? `Remembered from ${from ?? 'an earlier file'}` : 'Set by you';
    set.set(index, { field, confidence: field === null ? 0 : 1, reason, setBy: by, rememberedFrom: from });
  }
  return set;
}

/**
 * If the header of a field's column is one of the field's `rowKeys`, adds the columns of the other `rowKeys` as
 * fallbacks, in the order of the keys. A field that the operator has set gets no fallbacks.
 */
function addRowKeys(
  { headers, matches, sources }: Assignment,
  setFields: ReadonlySet<RowField | null>,
): void {
  const keys = headers.map(headerKey);
  for (const field of canonicalFields) {
    const columns = sources[field];
    const order = fieldSpecs[field].rowKeys.map(headerKey);
    if (!columns || setFields.has(field) || !order.includes(keys[columns[0] ?? -1] ?? '')) continue;
    for (const key of order) {
      const index = keys.findIndex((other, at) => other === key && !matches.has(at));
      if (index < 0) continue;
      const reason = `Used where the ${labelInSentence(field)} is empty`;
      matches.set(index, { field, confidence: 0.9, reason });
      columns.push(index);
    }
    columns.sort((a, b) => order.indexOf(keys[a] ?? '') - order.indexOf(keys[b] ?? ''));
  }
}

const nameCharsMax = 100;

/** QuickBooks names items by category path ('Cookware:SKL-10'), so the description is used as the title. */
function takeDescriptions(assignment: Assignment): void {
  const { sample, matches, sources } = assignment;
  const [title = -1] = sources.title ?? [];
  const [described = -1] = sources.description ?? [];
  const items = new Set(filledCells(sample, title));
  const nested = [...items].filter((item) => items.has(item.slice(0, Math.max(0, item.lastIndexOf(':')))));
  const names = filledCells(sample, described);
  const areNames = names.length * 2 > items.size && names.every((name) => name.length <= nameCharsMax);
  if (nested.length === 0 || nested.length * 2 < items.size || !areNames) return;
  if (matches.get(title)?.setBy !== undefined || matches.get(described)?.setBy !== undefined) return;
  matches.delete(title);
  delete sources.description;
  const reason = 'Has the names of items; the item column has paths';
  take(assignment, described, { field: 'title', confidence: 0.8, reason });
}

/** Maps further image columns. The product gets the images of all of them. */
function addMoreImages({ matches, sources }: Assignment, candidates: readonly FieldCandidate[]): void {
  const more = candidates
    .filter(({ field, kind }) => field === 'image' && kind !== 'similar')
    .filter(({ index }) => !matches.has(index))
    .sort((a, b) => a.ordinal - b.ordinal || a.index - b.index);
  if (more.length === 0) return;
  for (const { index, confidence } of more) {
    matches.set(index, matchOf({ field: 'moreImages', confidence, reason: 'Additional image' }));
  }
  sources.moreImages = [...new Set([...(sources.moreImages ?? []), ...more.map(({ index }) => index)])];
}

/** Finds a pair of columns with reduced and regular prices. Uses the regular price as the compare-at price. */
function addReducedPrice(
  { headers, matches, sources }: Assignment,
  of: {
    all: readonly FieldCandidate[];
    evidence: readonly ColumnEvidence[];
    set: Matches;
    setFields: ReadonlySet<RowField | null>;
  },
): ReducedPrice | undefined {
  const { all, evidence, set, setFields } = of;
  const [price, ...others] = sources.price ?? [];
  if (price === undefined || others.length > 0 || setFields.has('price')) return undefined;
  const found = findReducedPrice(headers, evidence, price, {
    isFree: (column) =>
      !set.has(column) && [undefined, 'compareAtPrice'].includes(matches.get(column)?.field ?? undefined),
    isPrice: (column) =>
      all.some((one) => one.index === column && one.field === 'price' && /^name(?:Part)?$/.test(one.kind)),
  });
  if (found && !setFields.has('compareAtPrice')) sources.compareAtPrice ??= [found.regular];
  return found;
}

/** Maps columns such as 'Color' and 'Size' to options, in a file whose rows group into products. */
function addOptions(assignment: Assignment): HeaderMapping['optionNames'] {
  const { headers, sample, matches, sources } = assignment;
  const [group] = sources.parentSku ?? sources.handle ?? [];
  if (group === undefined || optionValueFields.some((field) => sources[field])) return undefined;
  const columns = findAttributeColumns(headers, sample, group, (index) => matches.has(index));
  if (columns.length === 0) return undefined;
  const names: HeaderMapping['optionNames'] = {};
  for (const [at, index] of columns.entries()) {
    const { name, value: field } = optionFields[at] ?? optionFields[0];
    names[name] = (headers[index] as string).trim();
    take(assignment, index, { field, confidence: 0.8, reason: 'The rows of a product differ in it' });
  }
  return names;
}

/** Maps a column that lists options ('Color:Red,Size:S'). Returns whether rows without options are templates. */
function addListedOptions(assignment: Assignment): boolean {
  const { headers, sample, matches, sources } = assignment;
  const ofBigCommerce = headers.findIndex((header) => headerKey(header) === 'options');
  if (!sources.option1Value && areOptionLists(sample.map((row) => row[ofBigCommerce]))) {
    const reason = 'Lists the options of its row';
    take(assignment, ofBigCommerce, { field: 'option1Value', confidence: 0.8, reason });
    return false;
  }
  const [title] = sources.title ?? [];
  const hasKey = sources.parentSku ?? sources.handle ?? sources.option1Value;
  if (title === undefined || hasKey) return false;
  const index = headers.findIndex(
    (header, at) =>
      !matches.has(at) &&
      /attribute|variantvalue/.test(headerKey(header)) &&
      areOptionLists(sample.map((row) => row[at])),
  );
  if (index < 0) return false;
  const isEmpty = (row: readonly string[]) => (row[index] ?? '').trim() === '';
  const ofTitles = [...Map.groupBy(sample, (row) => row[title] ?? '').values()];
  const hasTemplate = ofTitles.some(
    ([first = [], ...others]) => isEmpty(first) && others.length > 0 && !others.some(isEmpty),
  );
  if (!hasTemplate) return false;
  const reason = 'Lists the options of rows with the same title';
  take(assignment, index, { field: 'option1Value', confidence: 0.8, reason });
  return true;
}

/** Maps a column of currency codes to the currency of the prices. */
function addCurrency(assignment: Assignment): void {
  const { headers, sample, matches, sources } = assignment;
  if (sources.currency !== undefined || sources.price === undefined) return;
  const index = headers.findIndex((_, at) => {
    if (matches.has(at)) return false;
    const cells = filledCells(sample, at);
    return cells.length > 1 && cells.every(isListedCurrency);
  });
  if (index < 0) return;
  const reason = 'All of its values are codes of currencies';
  take(assignment, index, { field: 'currency', confidence: 0.9, reason });
}

const ofOthers =
  /relat|cross|upsell|replac|substit|success|predec|ersatz|nachfolg|vorgang|altern|access|zubehor|accessoir|bundle|kit|similar/;

/** Maps a column to the parent SKU if its cells are SKUs of other rows, and several rows name the same SKU. */
function addParents(assignment: Assignment): void {
  const { headers, sample, matches, sources } = assignment;
  const [sku] = sources.sku ?? [];
  if (sku === undefined || sources.parentSku || sources.handle) return;
  const rows = new Map(sample.map((row) => [row[sku]?.trim() ?? '', row]));
  rows.delete('');
  const index = headers.findIndex((header, at) => {
    if (matches.has(at) || ofOthers.test(headerKey(header))) return false;
    const named = sample.flatMap((row) => {
      const cell = row[at]?.trim() ?? '';
      return cell === '' || cell === row[sku]?.trim() ? [] : [cell];
    });
    const different = new Set(named);
    const isParent = (name: string) => {
      const own = rows.get(name)?.[at]?.trim();
      return own === '' || own === name;
    };
    return named.length > 1 && different.size * 2 <= named.length && [...different].every(isParent);
  });
  if (index < 0) return;
  take(assignment, index, { field: 'parentSku', confidence: 0.8, reason: 'Has SKUs of other rows' });
}

const productKinds = new Set(['simple', 'variable', 'variation', 'grouped', 'external']);

function parentIdsIn({ sources, headers, sample }: Assignment): HeaderMapping['parentIds'] {
  const ids = headers.findIndex((header) => headerKey(header) === 'id');
  if (sources.parentSku === undefined || ids < 0) return undefined;
  const kinds = headers.findIndex((_, at) => {
    const cells = sample.map((row) => (row[at] ?? '').split(',')[0]?.trim().toLowerCase() ?? '');
    return cells.includes('variable') && cells.every((cell) => cell === '' || productKinds.has(cell));
  });
  if (kinds >= 0) return { ids, kinds };
  const [parents = -1] = sources.parentSku;
  const valuesIn = (column = -1) => new Set(filledCells(sample, column));
  const named = valuesIn(parents);
  const areIds = !named.isDisjointFrom(valuesIn(ids)) && named.isDisjointFrom(valuesIn(sources.sku?.[0]));
  return areIds && sources.handle === undefined ? { ids, kinds: parents, areKeys: true } : undefined;
}

function optionCellOf({ sources, sample }: Assignment): number | undefined {
  const { option1Value, option1Name, option2Value, option3Value } = sources;
  const [index, ...others] = option1Value ?? [];
  const isAlone = others.length === 0 && !option1Name && !option2Value && !option3Value;
  if (index === undefined || !isAlone) return undefined;
  return areOptionLists(sample.map((row) => row[index])) ? index : undefined;
}

/** Returns option names from headers that the operator mapped to options, except headers such as 'Option1 Value'. */
function namesOfOptions(
  set: ReadonlyMap<number, Match>,
  sources: Sources,
  headers: readonly string[],
): HeaderMapping['optionNames'] {
  const found: NonNullable<HeaderMapping['optionNames']> = {};
  for (const [index, { field }] of set) {
    const option = optionFields.find(({ value }) => value === field);
    const header = headers[index] ?? '';
    if (!option || sources[option.name] || isKnownName(header, option.value)) continue;
    found[option.name] = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(header)?.[0] ?? header;
  }
  return Object.keys(found).length > 0 ? found : undefined;
}

/** Removes a bracketed suffix from a header: 'Weight (kg)'. */
function withoutBracket(header: string): string {
  const text = header.trimEnd();
  const from = Math.max(text.lastIndexOf('('), text.lastIndexOf('['));
  return from >= 0 && /[)\]]$/.test(text) ? text.slice(0, from) : header;
}

const gramsOfShopify: ReadonlySet<string> = new Set(['variantgrams', 'weightvaluegrams']);

function unitOfWeights({ sources, headers }: Assignment): Pick<HeaderMapping, 'weightUnit' | 'weightPieces'> {
  const header = headers[sources.weight?.[0] ?? -1] ?? '';
  // Shopify exports weights in grams. The unit in its column of units is only for display.
  const isInUnits = sources.weightUnit !== undefined && !gramsOfShopify.has(headerKey(header));
  const weightUnit = isInUnits ? null : findWeightUnit(headerWords(header));
  const weightPieces = piecesInHeader(withoutBracket(header));
  return {
    weightUnit: weightUnit ?? undefined,
    weightPieces: weightPieces !== null && weightPieces > 1 ? weightPieces : undefined,
  };
}

/** Returns code columns whose cells are all dates with a year: the file means dates, not codes turned into dates. */
function datesIn({ sources, sample }: Assignment): number[] {
  const columns = new Set([...codeAndSizeFields].flatMap((field) => sources[field] ?? []));
  return [...columns].filter((index) => {
    const cells = filledCells(sample, index);
    return cells.length > 0 && cells.every(isDateWithYear);
  });
}

function twiceEncodedIn({ sources, sample }: Assignment): number[] {
  const columns = new Set(Object.values(sources).flat());
  return [...columns].filter((index) => hasTwiceEncodedTexts(sample.map((row) => row[index] ?? '')));
}

const wholeCode = /^\d+\.0$/;

/** Returns code columns with only cells like '10045.0'. Scripts write integers this way if some cells are empty. */
function wholeCodesIn({ sources, sample }: Assignment): number[] {
  const fields = ['sku', 'itemNumber', 'parentSku', 'handle', 'upc'] as const;
  return [...new Set(fields.flatMap((field) => sources[field] ?? []))].filter((index) => {
    const cells = filledCells(sample, index)
      .map((cell) => cleanFieldText(cell, 'sku'))
      .filter((cell) => cell !== '');
    return cells.length > 1 && cells.every((cell) => wholeCode.test(cell));
  });
}

/** Returns the first code whose picture name has leading zeros that the code lacks. Needs more than one such row. */
function lostZerosIn({ sources, sample }: Assignment): HeaderMapping['lostZeros'] {
  const { sku = [], image = [], moreImages = [] } = sources;
  const [column] = sku;
  const pictures = [...image, ...moreImages];
  if (column === undefined || pictures.length === 0) return undefined;
  const found = sample.flatMap((row) => {
    const code = row[column]?.trim() ?? '';
    if (!/^[1-9]\d{1,11}$/.test(code)) return [];
    const named = new RegExp(`(?<!\\d)0+${code}(?!\\d)`);
    const [whole] = pictures.flatMap((at) => named.exec((row[at] ?? '').split('/').at(-1) ?? '') ?? []);
    return whole === undefined ? [] : [{ column, code, whole }];
  });
  return found.length > 1 ? found[0] : undefined;
}

const availability =
  /avail|in ?stock|dispon|verfugbar|lagernd|vorratig|lieferbar|skladem|dostup|dostep|beschikbaar|leverbaar|tillgang|tilgang|saatav|налич|доступ|наявн|有货|有貨|在庫有無|재고여부|متوفر|זמין/;

/** Whether quantities are only 1 and 0 under a header about availability. */
function areQuantityFlags({ sources, headers, sample }: Assignment): boolean {
  const [column = -1] = sources.quantity ?? [];
  const words = headerWords(headers[column] ?? '').join(' ');
  if (!availability.test(words) || /qty|quant|menge|anzahl|cant|aantal|antal|ilosc|mnozstvi/.test(words))
    return false;
  const cells = filledCells(sample, column);
  return cells.length > 2 && cells.includes('1') && cells.every((cell) => cell === '0' || cell === '1');
}

/** Whether a header names stock. A stand-in such as 'pieces' does not count, because it may name a unit. */
const isStock = ({ kind, worth, index }: FieldCandidate, headers: readonly string[]): boolean =>
  kind === 'name' ||
  kind === 'namePart' ||
  (kind === 'standIn' && /avail|stock/.test(headerKey(headers[index] ?? ''))) ||
  // A name next to unknown words needs whole numbers as values.
  (kind.endsWith('Within') && worth > 0.45);

/** Returns the quantity columns of other warehouses or shops. If a column has their sum, maps that column instead. */
function addQuantityParts(assignment: Assignment, isFree: (index: number) => boolean): number[] {
  const { headers, sample, matches, sources } = assignment;
  const [sent, ...fallbacks] = sources.quantity ?? [];
  if (sent === undefined || fallbacks.length > 0) return [];
  const { parts, total = sent } = findWarehouseColumns(sent, { headers, sample, isFree });
  if (total === sent) return parts;
  matches.delete(sent);
  take(assignment, total, { field: 'quantity', confidence: 0.9, reason: 'Has the sum of several places' });
  return [];
}

/** Returns further quantity columns, including unnamed columns right of a quantity. Empty if their sum is sent. */
function otherQuantitiesIn(
  { headers, sample, matches, sources: { quantity = [] } }: Assignment,
  candidates: readonly FieldCandidate[],
  parts: readonly number[],
): number[] {
  const [sent = -1] = quantity;
  if (sent < 0 || /total|gesamt|summe/.test(headerKey(headers[sent] ?? ''))) return [];
  const others = new Set(
    candidates
      .filter((one) => one.field === 'quantity' && !matches.has(one.index) && isStock(one, headers))
      .map(({ index }) => index)
      .filter((index) => !parts.includes(index)),
  );
  for (const [index, header] of headers.entries()) {
    const isBehind = [...quantity, ...parts, ...others].includes(index - 1);
    if (!isBehind || matches.has(index) || !isMeaninglessHeader(header)) continue;
    const cells = filledCells(sample, index);
    if (cells.filter((cell) => /^\d+$/.test(cell)).length * 2 > cells.length) others.add(index);
  }
  const areAdded = quantity.length === 1 && isSumColumn(sent, [...others], sample);
  return areAdded ? [] : [...others].sort((a, b) => a - b);
}

/** From this confidence on, 95 % of titles and prices are right (`npm run bench:mapping` prints a table). */
const clearFrom = 0.6;
/** Below this confidence most guesses by values alone are wrong. */
const guessFrom = 0.36;

/**
 * Drops a title or price that is a bad guess, and, if both are unclear, the less certain of the two. Otherwise a file
 * with a guessed title and a guessed price would look ready.
 */
function dropUnclear(assigned: FieldAssignment): void {
  const matchOf = (wanted: CanonicalField) => [...assigned.values()].find(({ field }) => field === wanted);
  for (const match of [matchOf('title'), matchOf('price')]) {
    if (match?.kind === 'values' && match.confidence < guessFrom) assigned.delete(match.index);
  }
  const [title, price] = [matchOf('title'), matchOf('price')];
  if (!title || !price || Math.max(title.confidence, price.confidence) >= clearFrom) return;
  assigned.delete(title.confidence < price.confidence ? title.index : price.index);
}

function columnsOf(
  names: readonly string[],
  matches: Matches,
  candidates: readonly FieldCandidate[],
  of: Pick<HeaderMapping, 'sources' | 'commands' | 'reducedPrice'> & { parts: readonly number[] },
): ColumnMatch[] {
  const { reducedPrice, parts, sources, commands = {} } = of;
  const reasonOf = (index: number): string => {
    if (parts.includes(index)) return `Added to “${names[sources.quantity?.[0] ?? -1]}”`;
    if (Object.values(commands).includes(index)) return 'Rows that it deletes or ignores are left out';
    if (index === reducedPrice?.column) {
      return `Used as the price where filled; “${names[reducedPrice.regular]}” is then the compare-at price`;
    }
    if (index === reducedPrice?.regular) return `The price where “${names[reducedPrice.column]}” is empty`;
    const other = candidates.find((candidate) => candidate.index === index && candidate.kind !== 'values');
    return other
      ? `Another column fits the ${labelInSentence(other.field)} better`
      : 'No field fits this column';
  };
  return names.map((header, index) => {
    const match = matches.get(index) ?? { field: null, confidence: 0, reason: reasonOf(index) };
    return { index, header, ...match };
  });
}

/**
 * Returns `fieldMapping` of a job for API responses: the header of every field's first column, or null without a
 * column. Mapped metafields are included. `brand` repeats `vendor`, because both names are in use.
 */
export function fieldMappingOf(mapping: HeaderMapping): Record<string, string | null> {
  const headerOf = (field: RowField): string | null =>
    mapping.columns[mapping.sources[field]?.[0] ?? -1]?.header ?? null;
  const fields = [...canonicalFields, ...Object.keys(mapping.sources).filter(isMetafieldField)];
  return {
    ...Object.fromEntries(fields.map((field) => [field, headerOf(field)])),
    brand: headerOf('vendor'),
  };
}

import type { CanonicalField, RowValues } from '../base/canonical-fields.ts';
import { cleanText, isClean } from '../base/clean-text.ts';
import { cleanFieldText } from '../base/field-text.ts';
import { findFormulaIssue } from '../base/formula.ts';
import { lacksLeadingZero } from '../base/gtin.ts';
import { isSpreadsheetDate } from '../base/made-date.ts';
import { quantityToSend, readLooseQuantity } from '../base/quantity.ts';
import { looksTwiceEncoded } from '../base/twice-encoded.ts';
import { hasShareAddress } from '../products/images.ts';
import { piecesPerPrice, rewriteAmount } from '../reading/column-readings.ts';
import { parseAmbiguousCell } from '../reading/decimal-marks.ts';
import type { HeaderMapping } from '../reading/mapping/header-mapping.ts';
import { planFields } from '../reading/planned-fields.ts';
import { readValue, trimCell } from '../reading/row-values.ts';
import { type IssueSet, toIssueSet } from './issue-set.ts';
import type { CellIssue, RowIssue } from './issues.ts';

/** Returns the issues of a row's cells. `values`: the row's values after edits. A replaced cell has no issue. */
export function findCellIssues(
  cellOf: (column: number) => string | undefined,
  mapping: HeaderMapping,
  values?: RowValues,
): IssueSet {
  let found: RowIssue[] | undefined;
  for (const { field, columns, isList } of planFields(mapping)) {
    let issue: CellIssue | null = null;
    for (const { column, isTwice, mayBeOther, isOfCodes } of columns) {
      const cell = trimCell(cellOf(column));
      if (cell === '') continue;
      const ofFormula = findFormulaIssue(cell);
      if (ofFormula !== null) {
        if (values?.[field] === undefined) issue ??= ofFormula;
        continue;
      }
      const isDirty = !isClean(cell);
      if (isDirty) {
        const value = cleanText(cell, field, isTwice);
        if (value === '') continue;
        const text = cleanFieldText(value, field);
        if (values === undefined || values[field] === text) {
          if (text !== cell) found = [...(found ?? []), 'text-cleaned'];
          if (looksTwiceEncoded(text)) found = [...(found ?? []), 'text-garbled'];
        }
      }
      if (isMended(field, cell) && (values === undefined || values[field]?.includes(cell))) {
        found = [...(found ?? []), 'text-cleaned'];
      }
      const text = isDirty ? cell : textOf(cell, field, column, mapping);
      if (text === '') continue;
      if (text !== cell && (values === undefined || values[field] === text)) {
        found = [...(found ?? []), 'text-cleaned'];
      }
      if (isList) continue;
      if (field === 'title' && mayBeGarbled(cell) && (values === undefined || values.title === text)) {
        found = [...(found ?? []), 'text-garbled'];
      }
      if (mayBeOther) {
        const holds = values === undefined || values[field] === rewriteAmount(cell, column, mapping);
        issue = holds ? amountIssue(cell, column, mapping) : null;
        break;
      }
      issue =
        isOfCodes && isSpreadsheetDate(cell) && (values === undefined || values[field] === cell)
          ? 'made-a-date'
          : null;
      break;
    }
    if (issue === null) continue;
    found = [...(found ?? []), issue];
    if (field === 'quantity' && isOfFormula(issue)) found.push('quantity-not-numeric');
  }
  const { priceUnit, sources } = mapping;
  const pieces = priceUnit ? piecesPerPrice(priceUnit, cellOf) : 1;
  if (pieces === null || (pieces > 1 && priceUnit?.reading !== 'of-one')) {
    const [price = -1] = sources.price ?? [];
    const text = rewriteAmount(trimCell(cellOf(price)), price, mapping);
    if (values === undefined || values.price === undefined || values.price === text) {
      found = [...(found ?? []), 'price-of-several'];
    }
  }
  if (hasOtherQuantity(cellOf, mapping, values)) found = [...(found ?? []), 'quantity-loose'];
  return found === undefined ? 0 : toIssueSet(found);
}

const lostLetter = /\p{L}\?\p{Ll}|\\u[0-9a-f]{4}/iu;
/** Returns whether a name has '?', U+FFFD or an escape in place of a letter, as in 'Caf?s' or 'Caf\u00e9s'. */
const mayBeGarbled = (cell: string): boolean =>
  cell.includes('\uFFFD') || ((cell.includes('?') || cell.includes('\\u')) && lostLetter.test(cell));

const textOf = (
  cell: string,
  field: CanonicalField,
  column: number,
  { wholeCodes }: HeaderMapping,
): string => {
  const text = cell.startsWith('=') ? cell : cleanFieldText(cell, field);
  return wholeCodes?.includes(column) ? text.replace(/\.0$/, '') : text;
};

/** Returns whether a corrected text is sent: a UPC with its lost zero, or the picture behind a link to its page. */
const isMended = (field: CanonicalField, cell: string): boolean =>
  field === 'upc'
    ? lacksLeadingZero(cell)
    : (field === 'image' || field === 'moreImages') && hasShareAddress(cell);

/** Returns whether another column has an unsent quantity. False if the sent value, like '10+', has its own issue. */
function hasOtherQuantity(
  cellOf: (column: number) => string | undefined,
  mapping: HeaderMapping,
  values: RowValues | undefined,
): boolean {
  const { sources, otherQuantities = [] } = mapping;
  const { quantity = [] } = sources;
  if (quantity.length + otherQuantities.length < 2) return false;
  const textIn = (column: number) => readValue(cellOf(column), column, 'quantity', mapping);
  const sent = quantity.map(textIn).find((text) => text !== '') ?? '';
  if ((values !== undefined && (values.quantity ?? '') !== sent) || readLooseQuantity(sent) !== null)
    return false;
  // Further `quantity` columns mostly repeat the sent number, so only a different number in them counts.
  return (
    otherQuantities.some((column) => quantityToSend(textIn(column)) > 0) ||
    quantity.some((column) => textIn(column) !== sent && quantityToSend(textIn(column)) > 0)
  );
}

const isOfFormula = (issue: CellIssue) => issue === 'formula-error' || issue === 'formula-not-calculated';

/** Returns an issue for an amount like '1.299', which could also be read as another amount. */
function amountIssue(
  cell: string,
  column: number,
  { decimalComma, inferred }: Pick<HeaderMapping, 'decimalComma' | 'inferred'>,
): CellIssue | null {
  const open = parseAmbiguousCell(cell);
  if (open === null) return null;
  if (inferred?.includes(column)) return 'amount-inferred';
  const isDecimal = (open.mark === ',') === (decimalComma?.includes(column) === true);
  return isDecimal && !open.after.endsWith('0') ? 'third-decimal' : null;
}

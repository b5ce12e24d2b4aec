import type { Dialect } from '../dialect.ts';
import {
  type ColumnProfile,
  hasColumnKind,
  hasColumnShape,
  isTypedColumn,
  isTypicalCell,
} from './column-profile.ts';
import { holdsOtherCell, isWholeCell, splitGluedCell, unquoteCell } from './glued-cells.ts';

/** Records with more extra separators are not repaired, because so many are not a typo. */
const extraMax = 8;
/** From this share of blank cells on, another blank cell in the column is plausible. */
const oftenBlank = 0.1;

type Separators = Pick<Dialect, 'delimiter' | 'quote' | 'spaceAfterDelimiter'>;

type Repair = { cells: string[]; hasEvidence: () => boolean };

/** Repairs a missing or extra separator (docs/decisions/0021). Null unless exactly one repair fits the columns. */
export function repairRecord(
  cells: readonly string[],
  profiles: readonly ColumnProfile[],
  separators: Separators,
): string[] | null {
  const extra = cells.length - profiles.length;
  if (extra === 0 || extra < -1 || extra > extraMax) return null;
  const places = Math.min(cells.length, profiles.length);
  const fitsAsRead = cells
    .slice(0, places)
    .every((cell, column) => hasColumnKind(cell, profiles[column] as ColumnProfile));
  // If all cells fit, the record may simply lack its last cell. Only a quote shows that one of its cells is two.
  const isQuoted = separators.quote !== '' && cells.some((cell) => cell.includes(separators.quote));
  if (fitsAsRead && (extra > 0 || !isQuoted)) return null;
  if (extra > 0) return onlyOne(withFewer(cells, profiles, separators), profiles);
  return onlyOne(withOneMore(cells, profiles, separators, fitsAsRead), profiles);
}

type Fit = {
  before(index: number): boolean;
  from(index: number): boolean;
  moveToOwnColumns(index: number): boolean;
};

function fitOf(
  cells: readonly string[],
  profiles: readonly ColumnProfile[],
  fits: (cell: string, profile: ColumnProfile) => boolean,
): Fit {
  const extra = cells.length - profiles.length;
  const fitsAt = (column: number, cell: string | undefined) => {
    const profile = profiles[column];
    return profile !== undefined && fits(cell ?? '', profile);
  };
  const matchesOwnColumn = (column: number, cell: string) => {
    const profile = profiles[column];
    return profile !== undefined && isTypedColumn(profile) && isTypicalCell(cell, profile);
  };
  let right = 0;
  while (right < profiles.length && fitsAt(right, cells[right])) right += 1;
  let left = cells.length;
  while (left > 0 && fitsAt(left - 1 - extra, cells[left - 1])) left -= 1;
  return {
    before: (index) => index <= right,
    from: (index) => index >= left,
    moveToOwnColumns(index) {
      let more = 0;
      for (let at = index; at < cells.length; at += 1) {
        const cell = cells[at] as string;
        more += Number(matchesOwnColumn(at - extra, cell)) - Number(matchesOwnColumn(at, cell));
      }
      return more > 0;
    },
  };
}

function* withFewer(cells: readonly string[], profiles: readonly ColumnProfile[], separators: Separators) {
  const extra = cells.length - profiles.length;
  const fit = fitOf(cells, profiles, hasColumnKind);
  // A cell that begins with a space is mostly the rest of a text with a comma.
  const isPiece = (cell: string) => cell.startsWith(' ') && !isBlank(cell);
  const pieces = cells.filter(isPiece).length;
  for (const [index, profile] of profiles.entries()) {
    if (!fit.before(index)) break;
    if (extra === 1 && isBlank(cells[index]) && fit.from(index + 1)) {
      yield {
        cells: cells.toSpliced(index, 1),
        hasEvidence: () => pieces === 0 && fit.moveToOwnColumns(index + 1),
      };
    }
    const next = index + extra + 1;
    const parts = cells.slice(index, next);
    if (!fit.from(next) || isBlank(parts[0]) || isBlank(parts.at(-1))) continue;
    const text = joinParts(parts, profile, separators);
    if (!hasColumnKind(text, profile)) continue;
    const isSplitText =
      profile.kind !== null && !parts.some(isBlank) && pieces === parts.filter(isPiece).length;
    yield {
      cells: cells.toSpliced(index, extra + 1, text),
      hasEvidence: () => isSplitText && fit.moveToOwnColumns(next),
    };
  }
}

function joinParts(
  parts: readonly string[],
  profile: ColumnProfile,
  { delimiter, quote, spaceAfterDelimiter }: Separators,
): string {
  const text = parts.join(spaceAfterDelimiter && !isTypedColumn(profile) ? `${delimiter} ` : delimiter);
  return unquoteCell(text.trim(), quote) ?? text;
}

function* withOneMore(
  cells: readonly string[],
  profiles: readonly ColumnProfile[],
  { quote }: Separators,
  fitsAsRead: boolean,
): Generator<Repair> {
  const fit = fitOf(
    cells,
    profiles,
    (cell, profile) => hasColumnKind(cell, profile) && hasColumnShape(cell, profile),
  );
  for (const [index, cell] of cells.entries()) {
    if (!fit.before(index)) break;
    const first = profiles[index] as ColumnProfile;
    const second = profiles[index + 1] as ColumnProfile;
    if (!fitsAsRead && first.blank > 0 && fit.from(index)) {
      const hasEvidence = () =>
        first.blank >= oftenBlank && fit.moveToOwnColumns(index) && !mayBeInNeighbor(index, cells, profiles);
      yield { cells: cells.toSpliced(index, 0, ''), hasEvidence };
    }
    if (!fit.from(index + 1)) continue;
    const isOne = isWholeCell(cell, first) || isWholeCell(cell, second);
    for (const { left, right, sure } of splitGluedCell(cell, [first, second], quote, fitsAsRead)) {
      yield { cells: cells.toSpliced(index, 1, left, right), hasEvidence: () => sure && !isOne };
    }
  }
}

function mayBeInNeighbor(index: number, cells: readonly string[], profiles: readonly ColumnProfile[]) {
  const profile = profiles[index] as ColumnProfile;
  const mayHold = (cell: string | undefined, own: ColumnProfile | undefined, where: 'start' | 'end') => {
    if (cell === undefined || own === undefined) return false;
    return (
      (own.shapes === undefined && isWholeCell(cell, profile)) || holdsOtherCell(cell, where, own, profile)
    );
  };
  return (
    mayHold(cells[index - 1], profiles[index - 1], 'end') ||
    mayHold(cells[index], profiles[index + 1], 'start')
  );
}

/** Returns the cells on which all repairs agree. Null if repairs differ, none has evidence or a cell looks wrong. */
function onlyOne(repairs: Iterable<Repair>, profiles: readonly ColumnProfile[]): string[] | null {
  let first: string[] | null = null;
  let hasEvidence = false;
  for (const repair of repairs) {
    first ??= repair.cells;
    if (repair.cells.some((cell, column) => cell !== first?.[column])) return null;
    hasEvidence ||= repair.hasEvidence();
  }
  return hasEvidence &&
    first?.every((cell, column) => hasColumnShape(cell, profiles[column] as ColumnProfile))
    ? first
    : null;
}

const isBlank = (cell: string | undefined) => (cell ?? '').trim() === '';

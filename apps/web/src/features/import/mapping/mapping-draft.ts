import type { MappedColumn, MappingChanges } from '@draftshelf/contract/reading/mapping';
import { detectFieldValue } from '@draftshelf/contract/wire';
import {
  type CanonicalField,
  canonicalFields,
  coreFields,
  isRequired,
  type RowField,
} from '@draftshelf/domain/base/canonical-fields';
import { isMetafieldField } from '@draftshelf/domain/base/metafields';

export type MappingDraft = Readonly<MappingChanges>;

export type DraftColumn = MappedColumn & {
  isChanged: boolean;
  /** True if the column's field will be detected again on save. */
  isOpen: boolean;
};

/** Fields that several columns may be mapped to. */
const listFields: ReadonlySet<string> = new Set<CanonicalField>(['moreImages']);
export const isMultiColumnField = (field: string): boolean => listFields.has(field);

/** Applies a draft to the columns. A column whose field is given to another column becomes `isOpen`. */
export function applyDraft(columns: readonly MappedColumn[], draft: MappingDraft): DraftColumn[] {
  const changedFields = new Set(
    Object.values(draft).filter((field) => field !== null && !isMultiColumnField(field)),
  );
  return columns.map((column) => {
    const change = Object.hasOwn(draft, column.header) ? draft[column.header] : undefined;
    if (change === detectFieldValue) return { ...column, field: null, isChanged: true, isOpen: true };
    if (change !== undefined) return { ...column, field: change, isChanged: true, isOpen: false };
    const isOpen = column.field !== null && changedFields.has(column.field as RowField);
    return { ...column, field: isOpen ? null : column.field, isChanged: false, isOpen };
  });
}

/** Maps a field to a column, or to none if `header` is null. Other columns lose the field unless it accepts several. */
export function mapField(
  columns: readonly MappedColumn[],
  draft: MappingDraft,
  field: RowField,
  header: string | null,
): MappingDraft {
  const changes = new Map(Object.entries(draft));
  for (const other of applyDraft(columns, draft)) {
    if (other.field !== field || other.header === header) continue;
    if (header === null) changes.set(other.header, null);
    else if (!isMultiColumnField(field)) {
      if (other.setBy === null) changes.delete(other.header);
      else changes.set(other.header, detectFieldValue);
    }
  }
  if (header !== null) changes.set(header, field);
  return withoutNoChange(columns, changes);
}

export const unmapField = (
  columns: readonly MappedColumn[],
  draft: MappingDraft,
  header: string,
): MappingDraft => withoutNoChange(columns, new Map([...Object.entries(draft), [header, null]]));

/** Removes a column's change from the draft. If the draft has none, removes the column's saved override. */
export function resetColumn(
  columns: readonly MappedColumn[],
  draft: MappingDraft,
  header: string,
): MappingDraft {
  const changes = new Map(Object.entries(draft));
  if (!changes.delete(header)) changes.set(header, detectFieldValue);
  return withoutNoChange(columns, changes);
}

/** Removes all overrides, so that every field is detected again. */
export function resetAllColumns(columns: readonly MappedColumn[]): MappingDraft {
  const set = columns.filter(({ setBy }) => setBy !== null);
  return Object.fromEntries(set.map(({ header }) => [header, detectFieldValue]));
}

function withoutNoChange(
  columns: readonly MappedColumn[],
  changes: ReadonlyMap<string, MappingChanges[string]>,
): MappingDraft {
  const before = new Map(columns.map((column) => [column.header, column]));
  return Object.fromEntries(
    [...changes].filter(([header, field]) => {
      const column = before.get(header);
      if (column === undefined) return false;
      return field === detectFieldValue
        ? column.setBy !== null
        : field !== column.field || column.setBy === null;
    }),
  );
}

/** Groups fields by the saved mapping instead of the draft, so that changing the draft moves no field. */
export function groupEditorFields(
  columns: readonly MappedColumn[],
  draftColumns: readonly DraftColumn[],
  added: readonly RowField[],
) {
  const saved = new Set(columns.map(({ field }) => field));
  const listedFields = new Set<string | null>([
    ...coreFields,
    ...added,
    ...draftColumns.map(({ field }) => field),
  ]);
  const metafields = [...saved, ...listedFields].filter((field) => field !== null && isMetafieldField(field));
  const others = [
    ...canonicalFields.filter((field) => !isRequired(field)),
    ...(new Set(metafields) as Set<RowField>),
  ];
  return {
    required: canonicalFields.filter(isRequired),
    matched: others.filter((field) => saved.has(field)),
    /** Core fields without a column, and other fields that the operator has added to the editor. */
    unused: others.filter((field) => listedFields.has(field) && !saved.has(field)),
  };
}

const suggestionsMax = 3;

/** Fields whose columns may fit a missing required field, best first. Keyed by the required field. */
const standIns: Partial<Record<CanonicalField, readonly string[]>> = {
  title: ['description'],
  price: ['compareAtPrice', 'cost'],
};

export function candidateColumns(columns: readonly DraftColumn[], field: RowField): DraftColumn[] {
  const others = ((standIns as Partial<Record<string, readonly string[]>>)[field] ?? []).flatMap((other) =>
    columns.filter((column) => column.field === other),
  );
  return [...new Set([...listSuggestedColumns(columns, field), ...others])].slice(0, suggestionsMax);
}

export function listLikelyColumns(columns: readonly DraftColumn[], field: RowField): DraftColumn[] {
  const isMissing = isRequired(field) && !columns.some((column) => column.field === field);
  return isMissing ? candidateColumns(columns, field) : listSuggestedColumns(columns, field);
}

/** Returns the columns that may fit a field, best first, without columns that are already mapped to the field. */
export function listSuggestedColumns(columns: readonly DraftColumn[], field: RowField): DraftColumn[] {
  const scored = columns.flatMap((column) => {
    if (column.field === field) return [];
    const match = column.alternatives.find((alternative) => alternative.field === field);
    return match ? [{ column, confidence: match.confidence }] : [];
  });
  return scored
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, suggestionsMax)
    .map(({ column }) => column);
}

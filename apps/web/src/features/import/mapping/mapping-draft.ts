import type { MappedColumn, MappingChanges } from '@draftshelf/contract/reading/mapping';
import { detectField } from '@draftshelf/contract/wire';
import {
  type CanonicalField,
  canonicalFields,
  coreFields,
  fieldSpecs,
} from '@draftshelf/domain/base/canonical-fields';

export type MappingDraft = Readonly<MappingChanges>;

/** A column as it will be once the draft is saved. */
export type DraftColumn = MappedColumn & {
  /** A field that the draft sets or removes. */
  isChanged: boolean;
  /** Its field is decided again when the draft is saved. */
  isOpen: boolean;
};

/** Fields that several columns may hold. */
const listFields: ReadonlySet<string> = new Set<CanonicalField>(['moreImages']);
export const isListField = (field: string): boolean => listFields.has(field);

/** The columns with the draft's changes. A column whose field was given to another one is open. */
export function applyDraft(columns: readonly MappedColumn[], draft: MappingDraft): DraftColumn[] {
  const changedFields = new Set(
    Object.values(draft).filter((field) => field !== null && !isListField(field)),
  );
  return columns.map((column) => {
    const change = Object.hasOwn(draft, column.header) ? draft[column.header] : undefined;
    if (change === detectField) return { ...column, field: null, isChanged: true, isOpen: true };
    if (change !== undefined) return { ...column, field: change, isChanged: true, isOpen: false };
    const isOpen = column.field !== null && changedFields.has(column.field as CanonicalField);
    return { ...column, field: isOpen ? null : column.field, isChanged: false, isOpen };
  });
}

/**
 * The draft after a field was given to a column, or with `header` null to none. Other columns of the field lose it,
 * unless the field can have several.
 */
export function giveField(
  columns: readonly MappedColumn[],
  draft: MappingDraft,
  field: CanonicalField,
  header: string | null,
): MappingDraft {
  const changes = new Map(Object.entries(draft));
  for (const other of applyDraft(columns, draft)) {
    if (other.field !== field || other.header === header) continue;
    if (header === null) changes.set(other.header, null);
    else if (!isListField(field)) {
      if (other.setBy === null) changes.delete(other.header);
      else changes.set(other.header, detectField);
    }
  }
  if (header !== null) changes.set(header, field);
  return withoutNoChange(columns, changes);
}

/** The draft after a column was set to no field. */
export function unmapField(
  columns: readonly MappedColumn[],
  draft: MappingDraft,
  header: string,
): MappingDraft {
  return withoutNoChange(columns, new Map([...Object.entries(draft), [header, null]]));
}

/** The draft after the change of a column was undone, or, if it has none, what was set for it. */
export function resetColumn(
  columns: readonly MappedColumn[],
  draft: MappingDraft,
  header: string,
): MappingDraft {
  const changes = new Map(Object.entries(draft));
  if (!changes.delete(header)) changes.set(header, detectField);
  return withoutNoChange(columns, changes);
}

/** The draft in which every field is detected. */
export function resetAll(columns: readonly MappedColumn[]): MappingDraft {
  const set = columns.filter(({ setBy }) => setBy !== null);
  return Object.fromEntries(set.map(({ header }) => [header, detectField]));
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
      return field === detectField ? column.setBy !== null : field !== column.field || column.setBy === null;
    }),
  );
}

/** The fields of the mapping editor: the required ones, others with a column, and others without one. */
type FieldGroups = {
  required: CanonicalField[];
  matched: CanonicalField[];
  /** The core fields without a column, and those that were added. */
  unused: CanonicalField[];
};

/**
 * Groups the fields that the editor shows. The saved columns decide, so that no field moves while the draft changes;
 * a field that only the draft gives a column is unused until it is saved.
 */
export function fieldGroups(
  columns: readonly MappedColumn[],
  draftColumns: readonly DraftColumn[],
  added: readonly CanonicalField[],
): FieldGroups {
  const saved = new Set(columns.map(({ field }) => field));
  const listedFields = new Set<string | null>([
    ...coreFields,
    ...added,
    ...draftColumns.map(({ field }) => field),
  ]);
  const others = canonicalFields.filter((field) => !fieldSpecs[field].required);
  return {
    required: canonicalFields.filter((field) => fieldSpecs[field].required),
    matched: others.filter((field) => saved.has(field)),
    unused: others.filter((field) => listedFields.has(field) && !saved.has(field)),
  };
}

const suggestionsMax = 3;

/** Fields whose columns may hold a required field that has none, best first. */
const standIns: Partial<Record<CanonicalField, readonly string[]>> = {
  title: ['description'],
  price: ['compareAtPrice', 'cost'],
};

/** The columns that a required field without a column can be read from, best first. */
export function candidateColumns(columns: readonly DraftColumn[], field: CanonicalField): DraftColumn[] {
  const others = (standIns[field] ?? []).flatMap((other) =>
    columns.filter((column) => column.field === other),
  );
  return [...new Set([...suggestedColumns(columns, field), ...others])].slice(0, suggestionsMax);
}

/** The columns that the editor offers for a field, best first. */
export function likelyColumns(columns: readonly DraftColumn[], field: CanonicalField): DraftColumn[] {
  const isMissing = fieldSpecs[field].required && !columns.some((column) => column.field === field);
  return isMissing ? candidateColumns(columns, field) : suggestedColumns(columns, field);
}

/** Columns that may hold a field and do not, best first. */
export function suggestedColumns(columns: readonly DraftColumn[], field: CanonicalField): DraftColumn[] {
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

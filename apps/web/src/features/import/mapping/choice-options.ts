import type { MappedColumn, Metafield } from '@draftshelf/contract/reading/mapping';
import { detectFieldValue } from '@draftshelf/contract/wire';
import {
  canonicalFields,
  isRequired,
  isRowField,
  type RowField,
} from '@draftshelf/domain/base/canonical-fields';
import {
  applyDraft,
  type DraftColumn,
  isMultiColumnField,
  listLikelyColumns,
  type MappingDraft,
  mapField,
  resetColumn,
  unmapField,
} from './mapping-draft.ts';
import { fieldLabel } from './mapping-words.ts';

export type ChoiceTarget = { header: string } | { field: RowField };

export type ChoiceOption = {
  key: string;
  label: string;
  /** Sample values, and the current field of the column or the current column of the field. */
  note: string;
  /** The mapping after this option is chosen, or null if this is the current option. */
  draft: MappingDraft | null;
};

type ChoiceGroup = { label: string; options: ChoiceOption[] };

/** Returns the groups of options, likely ones first, without empty groups. */
export function createChoiceGroups(
  columns: readonly MappedColumn[],
  target: ChoiceTarget,
  metafields: readonly Metafield[] = [],
): ChoiceGroup[] {
  const groups =
    'field' in target ? columnGroups(columns, target.field) : fieldGroups(columns, target.header, metafields);
  return groups.filter(({ options }) => options.length > 0);
}

/** Limits the options, because more would make the list slow. The search finds the others. */
const optionsMax = 100;

export function filterGroups(groups: readonly ChoiceGroup[], search: string): ChoiceGroup[] {
  const searchText = search.trim().toLowerCase();
  let room = optionsMax;
  return groups.flatMap(({ label, options }) => {
    const foundOptions = options
      .filter((option) => `${option.label}\n${option.note}`.toLowerCase().includes(searchText))
      .slice(0, room);
    room -= foundOptions.length;
    return foundOptions.length === 0 ? [] : [{ label, options: foundOptions }];
  });
}

function fieldGroups(
  columns: readonly MappedColumn[],
  header: string,
  metafields: readonly Metafield[],
): ChoiceGroup[] {
  const column = columns.find((candidate) => candidate.header === header);
  if (column === undefined) return [];
  const option = (field: RowField): ChoiceOption => {
    const other = columns.find((candidate) => candidate.field === field && candidate.header !== header);
    return {
      key: field,
      label: fieldLabel(field),
      note: other === undefined || isMultiColumnField(field) ? '' : `now ${other.header}`,
      draft: column.field === field ? null : mapField(columns, {}, field, header),
    };
  };
  const likely = new Set([column.field, ...column.alternatives.map(({ field }) => field)]);
  const isLikely = (field: RowField) => likely.has(field);
  const first = [...likely].filter(isRowField);
  const others = metafields.filter(({ field }) => !isLikely(field));
  const noField: ChoiceOption = {
    key: 'none',
    label: 'Not used',
    note: 'its values are kept with each row',
    draft: column.field === null ? null : unmapField(columns, {}, header),
  };
  return [
    { label: 'Likely', options: first.map(option) },
    { label: 'None', options: [noField, ...detection(columns, column)] },
    { label: 'Fields', options: canonicalFields.filter((field) => !isLikely(field)).map(option) },
    {
      label: 'Metafields of your store',
      options: others.map(({ field, name, type, description }) => {
        const { note, ...choice } = option(field);
        return { ...choice, label: name, note: [type, description, note].filter(Boolean).join(' · ') };
      }),
    },
  ];
}

function columnGroups(columns: readonly MappedColumn[], field: RowField): ChoiceGroup[] {
  const draftColumns = applyDraft(columns, {});
  const own = draftColumns.filter((column) => column.field === field);
  const isMissing = own.length === 0 && isRequired(field);
  const first = [...own, ...listLikelyColumns(draftColumns, field)];
  const option = (column: DraftColumn): ChoiceOption => ({
    key: `column ${column.header}`,
    label: column.header,
    note: noteOf(column, field),
    draft: column.field === field ? null : mapField(columns, {}, field, column.header),
  });
  const none: ChoiceOption = {
    key: 'none',
    label: 'No column',
    note: '',
    draft: own.length === 0 ? null : mapField(columns, {}, field, null),
  };
  const noColumn = [none, ...own.flatMap((column) => detection(columns, column))];
  return [
    { label: 'Likely', options: first.map(option) },
    { label: 'None', options: isMissing ? [] : noColumn },
    { label: 'Columns', options: draftColumns.filter((column) => !first.includes(column)).map(option) },
  ];
}

/** Example: '12.00 · 15.00 · now Cost'. */
function noteOf({ samples, field: now }: DraftColumn, field: RowField): string {
  const parts: string[] = [...samples];
  if (now !== null && now !== field) parts.push(`now ${fieldLabel(now)}`);
  return parts.join(' · ');
}

function detection(columns: readonly MappedColumn[], { header, setBy }: MappedColumn): ChoiceOption[] {
  if (setBy === null) return [];
  return [
    {
      key: detectFieldValue,
      label: 'Detect again',
      note: setBy === 'memory' ? `${header} is remembered` : `${header} is set by you`,
      draft: resetColumn(columns, {}, header),
    },
  ];
}

import type { MappedColumn, recallMapping } from '@draftshelf/contract/reading/mapping';
import type { ReplyOf } from '@draftshelf/contract/route';
import { detectFieldValue } from '@draftshelf/contract/wire';
import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { displayOf } from '@draftshelf/domain/base/field-look';
import { mergeAnswers, type ReadingAnswer } from '@draftshelf/domain/reading/column-questions';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import {
  type ColumnChoices,
  overridesFromChoices,
  toColumnChoices,
} from '@draftshelf/domain/reading/mapping/mapping-memory';
import { useMemo, useState } from 'react';
import { type MappingDraft, missingFields, useRecalledMapping } from '../../import/index.ts';
import type { Preview } from './preview.ts';

export type PreviewMapping = ReturnType<typeof usePreviewMapping>;

const none: MappingOverrides = {};

type Remembered = Pick<
  NonNullable<ReplyOf<typeof recallMapping>['mapping']>,
  'columns' | 'readings' | 'filename'
>;

/** Returns the overrides of a file's mapping. The operator's overrides replace all remembered ones. */
export function usePreviewMapping(own: MappingOverrides | null) {
  const [headers, setHeaders] = useState<readonly string[] | null>(null);
  const recalled = useRecalledMapping(own === null ? headers : null);
  const memory = recalled.data?.mapping ?? null;
  const overrides = useMemo(() => {
    if (own !== null || memory === null) return own ?? none;
    return toRememberedOverrides(memory);
  }, [own, memory]);
  return {
    /** Overrides of the preview and the upload. */
    overrides,
    /** The remembered overrides; null if there are none, or if the operator has changed them. */
    memory,
    /** Whether the server has not yet answered which overrides are remembered. */
    isPending: recalled.isFetching,
    /** Whether the server did not answer, so that no remembered overrides are used. */
    isMemoryLost: recalled.isError,
    headers,
    setHeaders,
    /** Returns the overrides to send. A test also sends remembered ones, because the server does not add them. */
    sent: (testMode: boolean) =>
      chooseServerOnlyOverrides(own ?? (testMode && memory !== null ? overrides : null), recalled.isError),
  };
}

export function toRememberedOverrides({ columns, readings, filename: from }: Remembered): MappingOverrides {
  const fields = columns as Record<string, CanonicalField | null>;
  return overridesFromChoices({ columns: fields, readings }, { by: 'memory', from });
}

/** Returns the file's own overrides, else `noChoices` if `isMemoryLost`, else undefined to use remembered overrides. */
export function chooseServerOnlyOverrides(
  own: MappingOverrides | null,
  isMemoryLost: boolean,
): ColumnChoices | undefined {
  if (own !== null) return toColumnChoices(own);
  return isMemoryLost ? noChoices : undefined;
}

const noChoices: ColumnChoices = { columns: {}, readings: {} };

export function changeOverrides(overrides: MappingOverrides, draft: MappingDraft): MappingOverrides {
  const changed = new Map(Object.entries(overrides));
  for (const [header, field] of Object.entries(draft)) {
    const { reading } = changed.get(header) ?? {};
    const kept = reading === undefined ? {} : { reading };
    if (field !== detectFieldValue) changed.set(header, { field, by: 'operator', ...kept });
    else if (reading === undefined) changed.delete(header);
    else changed.set(header, { by: 'operator', reading });
  }
  return Object.fromEntries(changed);
}

export function addReadingAnswer(
  overrides: MappingOverrides,
  header: string,
  reading: ReadingAnswer,
): MappingOverrides {
  const before = overrides[header];
  const answers = mergeAnswers(before?.reading, reading) ?? reading;
  return { ...overrides, [header]: { ...before, by: 'operator', reading: answers } };
}

export const toEditorColumns = ({ mapping, columns }: Preview): MappedColumn[] =>
  mapping.columns.map(({ index, setBy = null, rememberedFrom = null, ...column }) => {
    const { samples = [], alternatives = [], profile = null } = columns[index] ?? {};
    return { ...column, setBy, rememberedFrom, samples, alternatives, profile };
  });

/** Returns the fields of a column, which may be both item number and SKU. */
export const listFieldsOfColumn = ({ mapping }: Pick<Preview, 'mapping'>, column: number): CanonicalField[] =>
  canonicalFields.filter((field) => mapping.sources[field]?.includes(column));

/** Returns the required fields without a column. A list of prices and stock requires none. */
export const listMissingFields = ({
  mapping,
  isPartial,
}: Pick<Preview, 'mapping' | 'isPartial'>): CanonicalField[] =>
  isPartial ? [] : missingFields((field) => (mapping.sources[field]?.length ?? 0) > 0);

/** Returns 'right' for a column of numbers. */
export const chooseAlignment = (
  { mapping }: Pick<Preview, 'mapping'>,
  column: number,
): 'right' | undefined => (displayOf(mapping.columns[column]?.field ?? '').isNumber ? 'right' : undefined);

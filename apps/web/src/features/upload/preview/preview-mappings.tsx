import type { MappedColumn, recallMapping } from '@draftshelf/contract/reading/mapping';
import type { ReplyOf } from '@draftshelf/contract/route';
import { detectField } from '@draftshelf/contract/wire';
import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { lookOf } from '@draftshelf/domain/base/field-look';
import { type ReadingAnswer, withAnswers } from '@draftshelf/domain/reading/column-questions';
import type { MappingOverrides } from '@draftshelf/domain/reading/mapping/header-mapping';
import {
  type ColumnChoices,
  choicesIn,
  overridesOf,
} from '@draftshelf/domain/reading/mapping/mapping-memory';
import { Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { useMemo, useRef, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import { PlainButton, SubtleButton } from '../../../ui/button.tsx';
import { HelpTip } from '../../../ui/hint.tsx';
import { QuietText, SmallText } from '../../../ui/text.tsx';
import {
  applyDraft,
  candidateColumns,
  chipsAround,
  fieldLabel,
  giveField,
  MappingChoice,
  type MappingDraft,
  MappingEditor,
  missingFields,
  partialWords,
  RememberedNote,
  useMappingChips,
  useRecalledMapping,
} from '../../import/index.ts';
import classes from '../upload.module.css';
import type { FoundSupplier } from '../upload-api.ts';
import type { Preview } from './preview.ts';
import { choiceNote } from './preview-table.tsx';

type MappingsProps = {
  preview: Preview;
  found: FoundSupplier | undefined;
  memory: PreviewMapping['memory'];
  onMapping: (draft: MappingDraft) => void;
};

export function Mappings({ preview, found, memory, onMapping }: MappingsProps) {
  const [changing, setChanging] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const mappedColumns = preview.mapping.columns.filter((column) => column.field !== null);
  const columns = editorColumns(preview);
  const missing = missingOf(preview);
  const { chip, open, close } = useMappingChips(mappedColumns.map(({ header }) => ({ header })));
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3}>
          Detected field mappings <HelpTip topic="field mapping" />
        </Title>
        <SubtleButton ref={change} size="compact-sm" onClick={() => setChanging(true)}>
          Change Mapping…
        </SubtleButton>
      </Group>
      {memory !== null && <RememberedNote {...memory} onForgotten={() => change.current?.focus()} />}
      {mappedColumns.length === 0 && noneRecognized}
      <ul className={`row-wrap list ${classes.mappings} gap-xs`} {...chipsAround}>
        {missing.map((field) => (
          <Missing key={field} field={field} columns={columns} onMapping={onMapping} />
        ))}
        {mappedColumns.map((column) => (
          <Mapped
            key={column.index}
            column={column}
            fields={fieldsOfColumn(preview, column.index)}
            chip={chip({ header: column.header })}
          />
        ))}
      </ul>
      <Unmapped count={preview.mapping.columns.length - mappedColumns.length} />
      {preview.isPartial && <Text size="sm">{partialListWords(found)}</Text>}
      <MappingChoice
        open={open}
        columns={columns}
        note={choiceNote}
        onPick={(draft, { target }) => {
          // A column without a field leaves the list.
          if ('header' in target && draft[target.header] === null) change.current?.focus();
          onMapping(draft);
        }}
        onClose={close}
      />
      <MappingEditor
        opened={changing}
        columns={columns}
        save="Apply Mapping"
        note="The preview and the upload use this mapping. It’s remembered for the next file with these columns."
        onSave={(draft) => {
          onMapping(draft);
          setChanging(false);
        }}
        onClose={() => setChanging(false)}
      >
        {memory !== null && <RememberedNote {...memory} />}
      </MappingEditor>
    </Stack>
  );
}

function partialListWords(found: FoundSupplier | undefined): string {
  const unknown = found === undefined ? 0 : found.sampled - found.known;
  if (found === undefined || unknown === 0) return partialWords;
  return `${partialWords} ${formatCount(unknown)} of ${countOf(found.sampled, 'sampled product')} ${unknown === 1 ? 'isn’t' : 'aren’t'} known.`;
}

const noneRecognized = (
  <Text size="sm">
    No columns were recognized. Pick a different header row above, change the mapping, or fill in titles and
    prices after the upload.
  </Text>
);

type MappedProps = {
  column: Preview['mapping']['columns'][number];
  fields: readonly CanonicalField[];
  chip: ReturnType<ReturnType<typeof useMappingChips>['chip']>;
};

const Mapped = ({ column: { header, setBy }, fields, chip }: MappedProps) => (
  <li>
    <button
      type="button"
      className={`${classes.mapping} inline-flex gap-tight center size-sm break-words at-most-full surface-quiet`}
      {...chip}
    >
      <span dir="auto">{header}</span>
      <IconArrowRight size={14} aria-label="is mapped to" role="img" />
      <Text component="span" size="sm" fw={550}>
        {fields.map(fieldLabel).join(', ')}
      </Text>
      {setBy !== undefined && (
        <SmallText component="span">{setBy === 'memory' ? 'remembered' : 'set by you'}</SmallText>
      )}
    </button>
  </li>
);

function Unmapped({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <QuietText>
      {count === 1
        ? '1 column isn’t mapped. Its values are kept with each row.'
        : `${formatCount(count)} columns aren’t mapped. Their values are kept with each row.`}
    </QuietText>
  );
}

type MissingProps = {
  field: CanonicalField;
  columns: readonly MappedColumn[];
  onMapping: (draft: MappingDraft) => void;
};

function Missing({ field, columns, onMapping }: MissingProps) {
  const candidates = candidateColumns(applyDraft(columns, {}), field);
  return (
    <li
      className={`${classes.mapping} inline-flex gap-tight center size-sm break-words at-most-full surface-quiet`}
      data-missing
    >
      <IconAlertTriangle size={14} aria-hidden />
      <Text component="span" size="sm">
        <strong>{fieldLabel(field)}</strong>: no column.{candidates.length > 0 && ' Use'}
      </Text>
      {candidates.map(({ header, samples }) => (
        <PlainButton
          key={header}
          size="compact-xs"
          title={samples.join(' · ')}
          aria-label={`Use ${header} for ${fieldLabel(field)}`}
          onClick={() => onMapping(giveField(columns, {}, field, header))}
        >
          <span dir="auto">{header}</span>
        </PlainButton>
      ))}
    </li>
  );
}

export type PreviewMapping = {
  /** Used by the preview and the upload. */
  overrides: MappingOverrides;
  /** Null: nothing is remembered, or the operator has changed it. */
  memory: { filename: string; fingerprint: string } | null;
  /** The memory is not known yet. */
  isPending: boolean;
  /** The server did not answer, so nothing remembered is used. */
  isMemoryLost: boolean;
  /** Null: not read yet. */
  headers: readonly string[] | null;
  setHeaders: (headers: readonly string[] | null) => void;
  /** A test has no memory, so it gets all overrides of the preview. */
  sent: (testMode: boolean) => ColumnChoices | undefined;
};

const none: MappingOverrides = {};

type Remembered = Pick<
  NonNullable<ReplyOf<typeof recallMapping>['mapping']>,
  'columns' | 'readings' | 'filename'
>;

/** The operator's overrides come before remembered ones. */
export function usePreviewMapping(own: MappingOverrides | null): PreviewMapping {
  const [headers, setHeaders] = useState<readonly string[] | null>(null);
  const recalled = useRecalledMapping(own === null ? headers : null);
  const memory = recalled.data?.mapping ?? null;
  const overrides = useMemo(() => {
    if (own !== null || memory === null) return own ?? none;
    return rememberedOverrides(memory);
  }, [own, memory]);
  return {
    overrides,
    memory,
    isPending: recalled.isFetching,
    isMemoryLost: recalled.isError,
    headers,
    setHeaders,
    sent(testMode) {
      if (own !== null || (testMode && memory !== null)) return choicesIn(overrides);
      // The preview shows nothing remembered, so the upload must not use anything either.
      return recalled.isError ? noChoices : undefined;
    },
  };
}

export function rememberedOverrides({ columns, readings, filename: from }: Remembered): MappingOverrides {
  const fields = columns as Record<string, CanonicalField | null>;
  return overridesOf({ columns: fields, readings }, { by: 'memory', from });
}

/** `isMemoryLost`: the row shows nothing remembered, because the server did not answer. */
export function sentWithoutPreview(
  own: MappingOverrides | null,
  isMemoryLost: boolean,
): ColumnChoices | undefined {
  if (own !== null) return choicesIn(own);
  return isMemoryLost ? noChoices : undefined;
}

const noChoices: ColumnChoices = { columns: {}, readings: {} };

export function changeOverrides(overrides: MappingOverrides, draft: MappingDraft): MappingOverrides {
  const changed = new Map(Object.entries(overrides));
  for (const [header, field] of Object.entries(draft)) {
    const { reading } = changed.get(header) ?? {};
    const kept = reading === undefined ? {} : { reading };
    if (field !== detectField) changed.set(header, { field, by: 'operator', ...kept });
    else if (reading === undefined) changed.delete(header);
    else changed.set(header, { by: 'operator', reading });
  }
  return Object.fromEntries(changed);
}

export function answerReading(
  overrides: MappingOverrides,
  header: string,
  reading: ReadingAnswer,
): MappingOverrides {
  const before = overrides[header];
  const answers = withAnswers(before?.reading, reading) ?? reading;
  return { ...overrides, [header]: { ...before, by: 'operator', reading: answers } };
}

export const editorColumns = ({ mapping, columns }: Preview): MappedColumn[] =>
  mapping.columns.map(({ index, setBy = null, rememberedFrom = null, ...column }) => {
    const { samples = [], alternatives = [], profile = null } = columns[index] ?? {};
    return { ...column, setBy, rememberedFrom, samples, alternatives, profile };
  });

/** An item number may also be the SKU. */
export const fieldsOfColumn = ({ mapping }: Pick<Preview, 'mapping'>, column: number): CanonicalField[] =>
  canonicalFields.filter((field) => mapping.sources[field]?.includes(column));

/** A list of prices and stock requires none. */
export const missingOf = ({
  mapping,
  isPartial,
}: Pick<Preview, 'mapping' | 'isPartial'>): CanonicalField[] =>
  isPartial ? [] : missingFields((field) => (mapping.sources[field]?.length ?? 0) > 0);

/** Numbers stand at the right. */
export const alignmentOf = ({ mapping }: Pick<Preview, 'mapping'>, column: number): 'right' | undefined =>
  lookOf(mapping.columns[column]?.field ?? '').isNumber ? 'right' : undefined;

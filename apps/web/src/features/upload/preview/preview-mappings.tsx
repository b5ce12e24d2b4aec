import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { Group, Stack, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { countOf, formatCount } from '../../../lib/intl.ts';
import {
  BodyText,
  PlainButton,
  QuietText,
  SmallText,
  TabStopButton,
  TextButton,
} from '../../../ui/basics.tsx';
import { HelpTip } from '../../../ui/hint.tsx';
import { TabStopGroup, TabStopsContext } from '../../../ui/table/tab-stops.tsx';
import {
  applyDraft,
  candidateColumns,
  fieldLabel,
  MappingChoice,
  type MappingDraft,
  MappingEditor,
  mapField,
  partialListSentence,
  RememberedNote,
  useMappingChips,
} from '../../import/index.ts';
import classes from '../upload.module.css';
import type { FoundSupplier } from '../upload-api.ts';
import type { Preview } from './preview.ts';
import {
  listFieldsOfColumn,
  listMissingFields,
  type PreviewMapping,
  toEditorColumns,
} from './preview-mapping.ts';
import { mappingNote } from './preview-table.tsx';

type MappingsProps = {
  preview: Preview;
  found: FoundSupplier | undefined;
  memory: PreviewMapping['memory'];
  onMapping: (draft: MappingDraft) => void;
};

export function MappingList({ preview, found, memory, onMapping }: MappingsProps) {
  const [changing, setChanging] = useState(false);
  const change = useRef<HTMLButtonElement>(null);
  const mappedColumns = preview.mapping.columns.filter((column) => column.field !== null);
  const unmapped = preview.mapping.columns.length - mappedColumns.length;
  const columns = toEditorColumns(preview);
  const missing = listMissingFields(preview);
  const { chip, open, close } = useMappingChips();
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3}>
          Detected field mappings <HelpTip topic="field mapping" />
        </Title>
        <TextButton ref={change} onClick={() => setChanging(true)}>
          Change Mapping…
        </TextButton>
      </Group>
      {memory !== null && <RememberedNote {...memory} onForgotten={() => change.current?.focus()} />}
      {mappedColumns.length === 0 && noneRecognized}
      <TabStopGroup as="ul" moves="sideways" className={`row-wrap list ${classes.mappings} gap-xs`}>
        <TabStopsContext value={null}>
          {missing.map((field) => (
            <Missing key={field} field={field} columns={columns} onMapping={onMapping} />
          ))}
        </TabStopsContext>
        {mappedColumns.map((column) => (
          <li key={column.index}>
            <TabStopButton
              className={`${classes.mapping} inline-flex gap-tight center size-sm break-words at-most-full surface-quiet`}
              {...chip({ header: column.header })}
            >
              <span dir="auto">{column.header}</span>
              <IconArrowRight size={14} aria-label="is mapped to" role="img" />
              <BodyText component="span" fw={550}>
                {listFieldsOfColumn(preview, column.index).map(fieldLabel).join(', ')}
              </BodyText>
              {column.setBy !== undefined && (
                <SmallText component="span">
                  {column.setBy === 'memory' ? 'remembered' : 'set by you'}
                </SmallText>
              )}
            </TabStopButton>
          </li>
        ))}
      </TabStopGroup>
      {unmapped > 0 && (
        <QuietText>
          {unmapped === 1
            ? '1 column isn’t mapped. Its values are kept with each row.'
            : `${formatCount(unmapped)} columns aren’t mapped. Their values are kept with each row.`}
        </QuietText>
      )}
      {preview.isPartial && <BodyText>{partialListWords(found)}</BodyText>}
      <MappingChoice
        open={open}
        columns={columns}
        note={mappingNote}
        onPick={(draft, { target }) => {
          // A column that loses its field disappears from the list, so the focus moves to the button Change.
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
  if (found === undefined || unknown === 0) return partialListSentence;
  return `${partialListSentence} ${formatCount(unknown)} of ${countOf(found.sampled, 'sampled product')} ${unknown === 1 ? 'isn’t' : 'aren’t'} known.`;
}

const noneRecognized = (
  <BodyText>
    No columns were recognized. Pick a different header row above, change the mapping, or fill in titles and
    prices after the upload.
  </BodyText>
);

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
      <BodyText component="span">
        <strong>{fieldLabel(field)}</strong>: no column.{candidates.length > 0 && ' Use'}
      </BodyText>
      {candidates.map(({ header, samples }) => (
        <PlainButton
          key={header}
          size="compact-xs"
          title={samples.join(' · ')}
          aria-label={`Use ${header} for ${fieldLabel(field)}`}
          onClick={() => onMapping(mapField(columns, {}, field, header))}
        >
          <span dir="auto">{header}</span>
        </PlainButton>
      ))}
    </li>
  );
}

import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import type { CanonicalField } from '@draftshelf/domain/base/canonical-fields';
import { Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconArrowRight } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { Button } from '../../../ui/button.tsx';
import { HelpTip } from '../../../ui/help/help-tip.tsx';
import {
  applyDraft,
  candidateColumns,
  chipsAround,
  fieldLabel,
  giveField,
  LazyMappingChoice,
  LazyMappingEditor,
  type MappingDraft,
  RememberedNote,
  useMappingChips,
} from '../../import/index.ts';
import classes from './preview.module.css';
import type { Preview } from './preview.ts';
import { editorColumns, fieldsOfColumn, missingOf, type PreviewMapping } from './preview-mapping.ts';
import { choiceNote } from './preview-table.tsx';

type MappingsProps = {
  preview: Preview;
  memory: PreviewMapping['memory'];
  onMapping: (draft: MappingDraft) => void;
};

/** Which column each field is read from, and a button to change it before the upload. */
export function Mappings({ preview, memory, onMapping }: MappingsProps) {
  const [changing, setChanging] = useState(false);
  const change = useRef<HTMLButtonElement>(null);

  const mapped = preview.mapping.columns.filter((column) => column.field !== null);
  const columns = editorColumns(preview);
  const missing = missingOf(preview);
  const { chip, open, close } = useMappingChips(mapped.map(({ header }) => ({ header })));
  const unmapped = preview.mapping.columns.length - mapped.length;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Title order={3}>
          Detected Field Mappings <HelpTip topic="field mapping" />
        </Title>
        <Button ref={change} size="compact-sm" variant="subtle" onClick={() => setChanging(true)}>
          Change Mapping…
        </Button>
      </Group>
      {memory !== null && <RememberedNote {...memory} onForgotten={() => change.current?.focus()} />}
      {mapped.length === 0 && (
        <Text size="sm">
          No columns were recognized. Pick a different header row above, change the mapping, or fill in titles
          and prices after upload.
        </Text>
      )}
      <ul className={`row-wrap list ${classes.mappings}`} {...chipsAround}>
        {missing.map((field) => (
          <Missing key={field} field={field} columns={columns} onMapping={onMapping} />
        ))}
        {mapped.map((column) => (
          <li key={column.index}>
            <button type="button" className={classes.mapping} {...chip({ header: column.header })}>
              <span dir="auto">{column.header}</span>
              <IconArrowRight size={14} aria-label="is mapped to" role="img" />
              <Text component="span" size="sm" fw={550}>
                {fieldsOfColumn(preview, column.index).map(fieldLabel).join(', ')}
              </Text>
              {column.setBy !== undefined && (
                <Text component="span" size="xs" c="dimmed">
                  {column.setBy === 'memory' ? 'remembered' : 'set by you'}
                </Text>
              )}
            </button>
          </li>
        ))}
      </ul>
      {unmapped > 0 && (
        <Text size="sm" c="dimmed">
          {unmapped === 1
            ? '1 column isn’t mapped. Its values are kept with each row.'
            : `${formatCount(unmapped)} columns aren’t mapped. Their values are kept with each row.`}
        </Text>
      )}
      <LazyMappingChoice
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
      <LazyMappingEditor
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
      </LazyMappingEditor>
    </Stack>
  );
}

type MissingProps = {
  field: CanonicalField;
  columns: readonly MappedColumn[];
  onMapping: (draft: MappingDraft) => void;
};

/** A required field without a column, and the columns that it can be read from with one click. */
function Missing({ field, columns, onMapping }: MissingProps) {
  const candidates = candidateColumns(applyDraft(columns, {}), field);
  return (
    <li className={classes.mapping} data-missing>
      <IconAlertTriangle size={14} aria-hidden />
      <Text component="span" size="sm">
        <strong>{fieldLabel(field)}</strong>: no column.{candidates.length > 0 && ' Use'}
      </Text>
      {candidates.map(({ header, samples }) => (
        <Button
          key={header}
          size="compact-xs"
          variant="default"
          title={samples.join(' · ')}
          aria-label={`Use ${header} for ${fieldLabel(field)}`}
          onClick={() => onMapping(giveField(columns, {}, field, header))}
        >
          <span dir="auto">{header}</span>
        </Button>
      ))}
    </li>
  );
}

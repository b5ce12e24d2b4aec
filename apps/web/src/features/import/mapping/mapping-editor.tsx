import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { type CanonicalField, canonicalFields } from '@draftshelf/domain/base/canonical-fields';
import { Group, Select, Skeleton, Stack, Title } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { formatCount } from '../../../lib/intl.ts';
import { PlainButton, SubtleButton } from '../../../ui/button.tsx';
import { CallFailure } from '../../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { EditorBody, EditorDrawer, EditorFooter } from '../../../ui/overlays.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { QuietText } from '../../../ui/text.tsx';
import classes from './mapping.module.css';
import { Samples } from './mapping-choice.tsx';
import {
  applyDraft,
  type DraftColumn,
  giveField,
  type MappingDraft,
  resetAll,
  resetColumn,
} from './mapping-draft.ts';
import { changeAndFocus, type EditorPart, MappingFields } from './mapping-fields.tsx';
import { fieldLabel, unmappedWords } from './mapping-words.ts';

type MappingEditorProps = {
  opened: boolean;
  /** Undefined: loading. */
  columns: readonly MappedColumn[] | undefined;
  reads?: ComponentProps<typeof ReadFailure>['reads'];
  save: string;
  note: string;
  /** Shown above the fields. */
  children?: ReactNode;
  saving?: boolean;
  saveError?: Error | null;
  effectOf?: (draft: MappingDraft) => ReactNode;
  onSave: (changes: MappingDraft) => void;
  onClose: () => void;
};

export function MappingEditor(props: MappingEditorProps) {
  const { opened, columns, onClose } = props;
  const [draft, setDraft] = useState<MappingDraft>({});
  const isChanged = Object.keys(draft).length > 0;
  const discard = () => {
    setDraft({});
    onClose();
  };
  return (
    <EditorDrawer
      opened={opened}
      title="Field Mapping"
      width={680}
      unsaved={isChanged ? 'The changes to the mapping haven’t been saved.' : null}
      onClose={onClose}
      onDiscard={discard}
      onClosed={() => setDraft({})}
    >
      {(close) =>
        columns === undefined ? (
          <Unloaded reads={props.reads} />
        ) : (
          <Editor {...props} columns={columns} draft={draft} setDraft={setDraft} onCancel={close} />
        )
      }
    </EditorDrawer>
  );
}

function Unloaded({ reads = [] }: { reads: MappingEditorProps['reads'] }) {
  if (reads.some(({ isError }) => isError)) {
    return (
      <EditorBody>
        <ReadFailure what="the mapping" reads={reads} />
      </EditorBody>
    );
  }
  return (
    <Stack gap="md" p="md" aria-hidden>
      {Array.from({ length: 8 }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: eight equal placeholders
        <Skeleton key={at} height={56} />
      ))}
    </Stack>
  );
}

type EditorProps = MappingEditorProps & {
  columns: readonly MappedColumn[];
  draft: MappingDraft;
  setDraft: (draft: MappingDraft) => void;
  onCancel: () => void;
};

function Editor({ columns, draft, setDraft, onCancel, children, ...props }: EditorProps) {
  const { save, note, saving = false, saveError = null, effectOf, onSave } = props;
  const draftColumns = applyDraft(columns, draft);
  const isChanged = Object.keys(draft).length > 0;
  const wasSet = columns.some(({ setBy }) => setBy !== null);
  const part = { columns, draftColumns, draft, onChange: setDraft };
  return (
    <>
      <EditorBody>
        <Stack gap="md">
          {children}
          <MappingFields {...part}>
            <UnmappedColumns {...part} />
          </MappingFields>
        </Stack>
      </EditorBody>
      <EditorFooter>
        <CallFailure
          error={saveError}
          title="Couldn’t change the mapping."
          otherwise="Check the import’s current status, then try again."
        />
        {effectOf?.(draft)}
        <QuietText>{note}</QuietText>
        <Group gap="xs" justify="space-between" className={classes.buttons ?? ''}>
          <ReasonedButton
            variant="subtle"
            reason={wasSet || isChanged ? null : 'Nothing is set. All fields are detected.'}
            onClick={() => setDraft(resetAll(columns))}
          >
            Reset to Detected
          </ReasonedButton>
          <Group gap="xs" className={`${classes.actions} rigid`}>
            <PlainButton onClick={onCancel}>Cancel</PlainButton>
            <ReasonedButton
              reason={isChanged ? null : 'Change at least one field first.'}
              loading={saving}
              onClick={() => onSave(draft)}
            >
              {save}
            </ReasonedButton>
          </Group>
        </Group>
      </EditorFooter>
    </>
  );
}

const fieldOptions = canonicalFields.map((field) => ({ value: field, label: fieldLabel(field) }));
/** More would make the drawer slow to open. */
const shownAtFirst = 20;

function UnmappedColumns({ columns, draftColumns, draft, onChange }: EditorPart) {
  const [all, setAll] = useState(false);
  const unmappedColumns = draftColumns.filter(({ field }) => field === null);
  if (unmappedColumns.length === 0) return null;
  const undo = ({ header }: DraftColumn) => {
    const reset = () => onChange(resetColumn(columns, draft, header));
    const before = columns.find((saved) => saved.header === header)?.field;
    if (Object.hasOwn(draft, header) && before) changeAndFocus(before as CanonicalField, reset);
    else reset();
  };
  const listedColumns = all ? unmappedColumns : unmappedColumns.slice(0, shownAtFirst);
  return (
    <Stack component="section" gap="xs" mt="md" aria-labelledby="unmapped-columns">
      <div>
        <Title order={4} id="unmapped-columns">
          Unmapped columns
        </Title>
        <QuietText>{unmappedWords(unmappedColumns.length)}</QuietText>
      </div>
      <ul className="list">
        {listedColumns.map((column) => (
          <UnmappedRow
            key={column.header}
            column={column}
            onUse={(field) =>
              changeAndFocus(field, () => onChange(giveField(columns, draft, field, column.header)))
            }
            onUndo={() => undo(column)}
          />
        ))}
      </ul>
      {listedColumns.length < unmappedColumns.length && (
        <PlainButton onClick={() => setAll(true)}>
          {`Show All ${formatCount(unmappedColumns.length)} Columns`}
        </PlainButton>
      )}
    </Stack>
  );
}

type UnmappedRowProps = { column: DraftColumn; onUse: (field: CanonicalField) => void; onUndo: () => void };

function UnmappedRow({ column, onUse, onUndo }: UnmappedRowProps) {
  const { header, samples, alternatives } = column;
  return (
    <li className={`${classes.field} grid pad-y-xs line-below`}>
      <div className={`break-words strong ${classes.label}`} dir="auto">
        {header}
      </div>
      <Select
        aria-label={`Field of ${header}`}
        placeholder="Not mapped"
        data={fieldOptions}
        value={null}
        searchable
        nothingFoundMessage="No such field"
        maxDropdownHeight={320}
        onChange={(field) => field !== null && onUse(field as CanonicalField)}
      />
      <div className={`stack ${classes.details} gap-tight`}>
        <State column={column} onUndo={onUndo} />
        <Samples values={samples} />
        {alternatives.length > 0 && (
          <Group gap={6}>
            <QuietText>Use as</QuietText>
            {alternatives.map(({ field }) => (
              <PlainButton
                key={field}
                size="compact-xs"
                aria-label={`Use ${header} as ${fieldLabel(field)}`}
                onClick={() => onUse(field as CanonicalField)}
              >
                {fieldLabel(field)}
              </PlainButton>
            ))}
          </Group>
        )}
      </div>
    </li>
  );
}

/** Only for columns that were decided, or are not decided yet. */
function State({ column, onUndo }: { column: DraftColumn; onUndo: () => void }) {
  const { header, isOpen, isChanged, setBy, rememberedFrom } = column;
  const isSet = isChanged || setBy !== null;
  if (!isOpen && !isSet) return null;
  const words = isOpen
    ? 'Matched again when you save.'
    : isChanged || setBy === 'operator'
      ? 'Set by you: no field.'
      : `Remembered from ${rememberedFrom ?? 'an earlier file'}: no field.`;
  return (
    <Group gap={6}>
      <QuietText>{words}</QuietText>
      {isSet && (
        <SubtleButton
          size="compact-xs"
          aria-label={isChanged ? `Undo the change of ${header}` : `Reset ${header} to detected`}
          onClick={onUndo}
        >
          {isChanged ? 'Undo' : 'Reset'}
        </SubtleButton>
      )}
    </Group>
  );
}

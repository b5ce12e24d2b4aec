import type { MappedColumn } from '@draftshelf/contract/reading/mapping';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { EditorBody, EditorDrawer, EditorFooter } from '../../../ui/editor-drawer.tsx';
import { CallFailure } from '../../../ui/feedback/error-panel.tsx';
import { ReadFailure } from '../../../ui/feedback/read.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { applyDraft, type MappingDraft, resetAll } from './mapping-draft.ts';
import classes from './mapping-editor.module.css';
import { MappingFields } from './mapping-fields.tsx';
import { UnmappedColumns } from './unmapped-columns.tsx';

export type MappingEditorProps = {
  opened: boolean;
  /** Undefined: they are still loading. */
  columns: readonly MappedColumn[] | undefined;
  reads?: ComponentProps<typeof ReadFailure>['reads'];
  /** The label of the button that saves, and what saving does. */
  save: string;
  note: string;
  /** Above the fields: where remembered fields come from. */
  children?: ReactNode;
  saving?: boolean;
  saveError?: Error | null;
  effectOf?: (draft: MappingDraft) => ReactNode;
  onSave: (changes: MappingDraft) => void;
  onClose: () => void;
};

/** A drawer in which the operator sees and changes which column each field is read from. */
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
        <Text size="sm" c="dimmed">
          {note}
        </Text>
        <Group gap="xs" justify="space-between" className={classes.buttons ?? ''}>
          <ReasonedButton
            variant="subtle"
            reason={wasSet || isChanged ? null : 'Nothing is set. All fields are detected.'}
            onClick={() => setDraft(resetAll(columns))}
          >
            Reset to Detected
          </ReasonedButton>
          <Group gap="xs" className={`${classes.actions} rigid`}>
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
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

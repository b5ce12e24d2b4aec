import type { EditTarget } from '@draftshelf/contract/review/commands';
import { operationsMax } from '@draftshelf/domain/review/operations/operation';
import { Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import { CallError } from '../../../api/call.ts';
import { Button } from '../../../ui/button.tsx';
import { ErrorPanel } from '../../../ui/feedback/error-panel.tsx';
import { ReasonedButton } from '../../../ui/reasoned-button.tsx';
import { tallDialogFoot } from '../../../ui/tall-dialog.ts';
import { type Edits, useEditsApply } from '../edits/commands-api.ts';
import classes from './bulk-dialog.module.css';
import type { ChosenRows } from './chosen-rows.ts';
import { lineProblems, operationOf } from './operation-draft.ts';
import { OperationLine } from './operation-line.tsx';
import { fixesOf, presets } from './presets.ts';
import { PreviewPanel } from './preview-panel.tsx';
import { applyLabel } from './preview-words.ts';
import { useAppliedNotice } from './use-applied-notice.ts';
import type { Lines } from './use-lines.ts';
import { type ShownPreview, useShownPreview } from './use-shown-preview.ts';
import { ValuesPanel } from './values-panel.tsx';

type BulkFormProps = {
  importId: string;
  /** The headers of the file. */
  headers: readonly string[];
  onClose: () => void;
  chosen: ChosenRows;
  lines: Lines;
};

export function BulkForm({ importId, chosen, headers, lines, onClose }: BulkFormProps) {
  const operations = lines.all.map(operationOf);
  const complete = operations.filter((operation) => operation !== null);
  const isComplete = complete.length === operations.length;
  const edits: Edits | null = isComplete ? { target: chosen.target, operations: complete } : null;
  const preview = useShownPreview(importId, edits);
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const apply = useEditsApply(importId);
  const showApplied = useAppliedNotice(importId);
  const reason = edits === null ? null : reasonToWait(preview);
  /** The shortcut was pressed while the button was disabled. The reason is said until there is none. */
  const [isHeldBack, setHeldBack] = useState(false);
  if (isHeldBack && reason === null) setHeldBack(false);
  const start = () => {
    if (apply.isPending) return;
    setTried(true);
    if (edits === null) {
      // After the errors are drawn.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    if (preview.data === undefined || reason !== null) return setHeldBack(true);
    const { sentence, sinceEdit } = preview.data;
    apply.mutateAsync({ ...edits, sinceEdit }).then(
      // Also when the dialog has been closed meanwhile.
      (reply) => {
        showApplied(reply, sentence);
        lines.reset();
        onClose();
      },
      () => {
        // The form shows the error.
      },
    );
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of a button below
    <div
      ref={form}
      className={classes.form}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
        // The field takes the key itself: it adds a tag, or chooses from its list.
        if (event.defaultPrevented) return;
        event.preventDefault();
        start();
      }}
    >
      <div className={classes.columns}>
        <div className={classes.lines}>
          <Presets
            lines={lines}
            target={chosen.target}
            isFirst={!lines.isGiven || isComplete}
            onChoose={() => focusEntry(form)}
          />
          {lines.all.map((line, at) => (
            <OperationLine
              key={line.id}
              nth={at + 1}
              line={line}
              headers={headers}
              problems={lineProblems(line)}
              isTried={isTried}
              onChange={lines.set}
              onRemove={
                lines.all.length === 1
                  ? null
                  : () => {
                      lines.remove(line.id);
                      focusNear(form, at);
                    }
              }
            />
          ))}
          <Group>
            <ReasonedButton
              variant="default"
              size="compact-md"
              leftSection={<IconPlus size={14} aria-hidden />}
              data-adds
              reason={lines.isFull ? `A change has at most ${operationsMax} lines.` : null}
              onClick={lines.add}
            >
              Add a Line
            </ReasonedButton>
          </Group>
          <ShownValues importId={importId} chosen={chosen} lines={lines} form={form} />
        </div>
        <PreviewPanel preview={preview} isComplete={isComplete} />
      </div>
      <div className={tallDialogFoot}>
        {apply.isError && <NotApplied error={apply.error} />}
        <div className={classes.buttons}>
          <Text size="sm" role="status" className={classes.reason}>
            {isHeldBack && reason}
          </Text>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReasonedButton reason={reason} loading={apply.isPending} onClick={start}>
            <span className="numbers">{applyLabel(preview.data ?? null, complete, chosen.count)}</span>
          </ReasonedButton>
        </div>
      </div>
    </div>
  );
}

/** Why complete lines cannot be applied now: nobody has seen what they do. Null: they can. */
function reasonToWait({ data, error, isStale }: ShownPreview): string | null {
  if (error !== null) return 'The preview couldn’t be loaded.';
  if (data === undefined || isStale) return 'The preview is loading.';
  return data.sample.isAll && data.changed.cells === 0 ? 'This would change nothing.' : null;
}

type ShownValuesProps = Pick<BulkFormProps, 'importId' | 'chosen' | 'lines'> & {
  form: RefObject<HTMLElement | null>;
};

/** The values of the field of the last line. Ticked rows are few enough to see their values. */
function ShownValues({ importId, chosen: { target, field: filtered }, lines, form }: ShownValuesProps) {
  const last = lines.all.at(-1);
  if ('rows' in target || last === undefined || last.field === 'rows') return null;
  const { field } = last;
  const replaced = lines.all.flatMap((line) =>
    line.kind === 'map' && line.field === field ? line.values : [],
  );
  return (
    <ValuesPanel
      importId={importId}
      field={field}
      filter={target}
      isOpened={last.kind === 'map' || field === filtered}
      replaced={replaced}
      onReplace={(values, isTyped) => {
        lines.replace(field, values);
        if (!isTyped) return;
        const [first] = values;
        // After the line is drawn.
        setTimeout(() =>
          form.current
            ?.querySelector<HTMLElement>(`[data-replaces="${CSS.escape(first?.from ?? '')}"]`)
            ?.focus(),
        );
      }}
    />
  );
}

type PresetsProps = {
  lines: Lines;
  target: EditTarget;
  /** They get the focus when the dialog opens. */
  isFirst: boolean;
  onChoose: () => void;
};

function Presets({ lines, target, isFirst, onChoose }: PresetsProps) {
  const fixes = 'rows' in target ? [] : fixesOf(target.issue);
  return (
    <div className={classes.presets}>
      <Text size="sm" c="dimmed" id="bulk-presets">
        {lines.kept === 0 ? 'Begin with' : 'Add'}
      </Text>
      <Group gap={6} role="group" aria-labelledby="bulk-presets">
        {[...fixes, ...presets].map((preset, at) => (
          <ReasonedButton
            key={preset.label}
            variant="default"
            size="compact-md"
            data-autofocus={(isFirst && at === 0) || undefined}
            reason={
              lines.kept + preset.lines('price').length > operationsMax
                ? `A change has at most ${operationsMax} lines.`
                : null
            }
            onClick={() => {
              lines.choose(preset);
              onChoose();
            }}
          >
            {preset.label}
          </ReasonedButton>
        ))}
      </Group>
    </div>
  );
}

/** Focuses the button of the line that takes the place of a removed one; of the only line, the one that adds lines. */
function focusNear(form: RefObject<HTMLElement | null>, at: number): void {
  // After the lines are drawn.
  setTimeout(() => {
    const removing = form.current?.querySelectorAll<HTMLElement>('[data-removes]') ?? [];
    const near = removing[at] ?? removing[removing.length - 1];
    (near ?? form.current?.querySelector<HTMLElement>('[data-adds]'))?.focus();
  });
}

/** Focuses the first input that is to be filled, after a preset. */
function focusEntry(form: RefObject<HTMLElement | null>): void {
  // After the lines are drawn.
  setTimeout(() => {
    const entries = [...(form.current?.querySelectorAll<HTMLElement>('[data-entry]') ?? [])];
    const empty = entries.find((entry) => entry instanceof HTMLInputElement && entry.value === '');
    (empty ?? entries[0])?.focus();
  });
}

function NotApplied({ error }: { error: Error }) {
  const server = error instanceof CallError ? error.serverMessage : null;
  return (
    <ErrorPanel title="Nothing was changed." cause={server === null ? error.message : null}>
      {server ?? 'Your lines are still here; try again.'}
    </ErrorPanel>
  );
}

import type { EditTarget } from '@draftshelf/contract/review/commands';
import type { IssueCode } from '@draftshelf/domain/review/issues';
import { type Operation, operationsMax } from '@draftshelf/domain/review/operations/operation';
import { Checkbox, Group, Select } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ComponentProps, type RefObject, useRef, useState } from 'react';
import { BodyText, IconButton, QuietText } from '../../../ui/basics.tsx';
import { PlainHintedButton } from '../../../ui/hint.tsx';
import { TallDialog } from '../../../ui/overlays.tsx';
import classes from './bulk-dialog.module.css';
import { type ChosenRows, changeRowsWords, describeTarget } from './chosen-rows.ts';
import { ApplyFoot, EditPreviewPanel, useApplyEdits } from './edit-preview.tsx';
import {
  changeLineField,
  fieldOptions,
  findLineProblems,
  type LineField,
  type LineInputName,
  type LineInputsProps,
  type LineKind,
  listKindOptions,
  toOperation,
} from './operation-draft.ts';
import { OperationInputs } from './operation-inputs.tsx';
import {
  leaveOutPreset,
  listFixes,
  newValuePreset,
  type OperationLines,
  presets,
  useOperationLines,
} from './use-lines.ts';
import { ValuesPanel } from './values-panel.tsx';

export type Fix = IssueCode | 'leave-out';

/** The rows and the fix for which the dialog was opened. `nth`: how many times the dialog has been opened. */
export type OpenedEdit = {
  rows: ChosenRows;
  /** Null if no fix was chosen. The dialog then opens with the lines entered earlier. */
  fix: Fix | null;
  nth: number;
};

type DialogProps = { importId: string; opened: boolean; onClose: () => void; onApplied: () => void };
type BulkDialogProps = DialogProps & { edit: OpenedEdit; headers: readonly string[] };

/** Entered lines are kept when the dialog closes, until they are applied. */
export function BulkDialog({ importId, edit, headers, opened, onClose, onApplied }: BulkDialogProps) {
  const { rows, fix, nth } = edit;
  const lines = useOperationLines(rows.field);
  const form = { importId, rows, headers, onClose, onApplied };
  return (
    <TallDialog
      opened={opened}
      onClose={onClose}
      size="74rem"
      fills="tablet"
      title={
        <>
          <span className="numbers">{changeRowsWords(rows.count)}</span>{' '}
          <QuietText component="span" fw={400} className="break-words">
            {describeTarget(rows)}
          </QuietText>
        </>
      }
    >
      {fix === null ? <BulkForm {...form} lines={lines} /> : <FixForm key={nth} {...form} fix={fix} />}
    </TallDialog>
  );
}

/** Keeps a fix's lines apart from the lines that the operator entered after opening the dialog without a fix. */
function FixForm({ fix, ...form }: Omit<ComponentProps<typeof BulkForm>, 'lines'> & { fix: Fix }) {
  // If the issue has no fix, the form begins with a line that sets the issue's field.
  const preset = fix === 'leave-out' ? leaveOutPreset : (listFixes(fix)[0] ?? newValuePreset);
  const lines = useOperationLines(form.rows.field, preset);
  return <BulkForm {...form} lines={lines} />;
}

export type BlockEdit = {
  /** Example: 'Paste 500 rows × 3 columns'. */
  title: string;
  target: Extract<EditTarget, { rows: number[] }>;
  operations: Operation[];
  /** A sentence about rows that the change skips, or null. */
  note: string | null;
  /** All filtered rows, which the operator may change instead of the target. Null if this is not offered. */
  all: ChosenRows | null;
};

type BlockDialogProps = DialogProps & { edit: BlockEdit };

export const CellBlockDialog = ({ opened, onClose, ...props }: BlockDialogProps) => (
  <TallDialog
    opened={opened}
    onClose={onClose}
    size="44rem"
    title={<span className="numbers">{props.edit.title}</span>}
  >
    <BlockForm {...props} onClose={onClose} />
  </TallDialog>
);

function BlockForm({ importId, edit, onClose, onApplied }: Omit<BlockDialogProps, 'opened'>) {
  const { operations, note, all } = edit;
  const [isAll, setAll] = useState(false);
  const target = isAll && all !== null ? all.target : edit.target;
  const applying = useApplyEdits({
    importId,
    edits: { target, operations },
    ...{ onApplied, onClose },
  });
  return (
    <div className={`${classes.form} stack gap-0`}>
      <div className={`${classes.block} fill-stack gap-xs`}>
        {note !== null && <BodyText>{note}</BodyText>}
        {all !== null && (
          <Checkbox
            label={`${changeRowsWords(all.count)} instead: all that the filter shows, on all pages`}
            checked={isAll}
            onChange={(event) => setAll(event.currentTarget.checked)}
          />
        )}
        <EditPreviewPanel preview={applying.preview} isComplete />
      </div>
      <ApplyFoot
        {...{ applying, operations, onClose }}
        rows={isAll && all !== null ? all.count : edit.target.rows.length}
        onStart={applying.start}
        isFirst
      />
    </div>
  );
}

type BulkFormProps = Omit<BulkDialogProps, 'edit' | 'opened'> & { rows: ChosenRows; lines: OperationLines };

function BulkForm({ importId, rows, headers, lines, onClose, onApplied }: BulkFormProps) {
  const operations = lines.all.map(toOperation);
  const complete = operations.filter((operation) => operation !== null);
  const isComplete = complete.length === operations.length;
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const applying = useApplyEdits({
    importId,
    edits: isComplete ? { target: rows.target, operations: complete } : null,
    onIncomplete: () => focusDrawn(form, (within) => within.querySelector('[aria-invalid="true"]')),
    onApplied: () => {
      onApplied();
      lines.drop(lines.all);
    },
    onClose,
  });
  const start = () => {
    setTried(true);
    applying.start();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of a button below
    <div
      ref={form}
      className={`${classes.form} stack gap-0`}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.repeat) return;
        // The focused field has handled the key, for example to add a tag or to pick an option.
        if (event.defaultPrevented) return;
        event.preventDefault();
        start();
      }}
    >
      <div className={`${classes.columns} grid`}>
        <div className={`stack ${classes.lines} gap-sm pad`}>
          <Presets {...{ lines, form }} target={rows.target} isFirst={!lines.hasOwnBeginning || isComplete} />
          <LinesOfForm {...{ lines, headers, isTried, form }} />
          <ShownValues {...{ importId, rows, lines, form }} />
        </div>
        <EditPreviewPanel preview={applying.preview} isComplete={isComplete} />
      </div>
      <ApplyFoot
        applying={applying}
        operations={complete}
        rows={rows.count}
        onStart={start}
        onClose={onClose}
      />
    </div>
  );
}

type Form = RefObject<HTMLElement | null>;

/** Focuses an element once the form has been rendered with that element. */
function focusDrawn(form: Form, find: (within: HTMLElement) => HTMLElement | null | undefined): void {
  setTimeout(() => form.current && find(form.current)?.focus());
}

type LinesProps = Pick<BulkFormProps, 'lines' | 'headers'> & { isTried: boolean; form: Form };

function LinesOfForm({ lines, headers, isTried, form }: LinesProps) {
  const remove = (id: number, at: number) => {
    lines.remove(id);
    focusNear(form, at);
  };
  return (
    <>
      {lines.all.map((line, at) => (
        <OperationLine
          key={line.id}
          nth={at + 1}
          {...{ line, headers, isTried }}
          onChange={lines.set}
          onRemove={lines.all.length === 1 ? null : () => remove(line.id, at)}
        />
      ))}
      <Group>
        <PlainHintedButton
          icon={IconPlus}
          iconSize={14}
          data-adds
          reason={lines.isFull ? tooManyLines : null}
          onClick={lines.add}
        >
          Add a Step
        </PlainHintedButton>
      </Group>
    </>
  );
}

const tooManyLines = `A change has at most ${operationsMax} steps.`;

type ShownValuesProps = Pick<BulkFormProps, 'importId' | 'rows' | 'lines'> & { form: Form };

/** Lists the values of the filtered rows. Renders nothing for ticked rows, whose values the operator sees. */
function ShownValues({ importId, rows: { target, field: fieldOfIssue }, lines, form }: ShownValuesProps) {
  const last = lines.all.at(-1);
  if ('rows' in target || last === undefined || last.field === 'rows') return null;
  const { field } = last;
  const replacements = lines.all.flatMap((line) =>
    line.kind === 'map' && line.field === field ? line.values : [],
  );
  return (
    <ValuesPanel
      importId={importId}
      field={field}
      filter={target}
      isOpened={last.kind === 'map' || field === fieldOfIssue}
      replaced={replacements}
      onReplace={(values, isTyped) => {
        lines.replace(field, values);
        if (!isTyped) return;
        const entry = `[data-replaces="${CSS.escape(values[0]?.from ?? '')}"]`;
        focusDrawn(form, (within) => within.querySelector(entry));
      }}
    />
  );
}

type PresetsProps = {
  lines: OperationLines;
  target: EditTarget;
  /** True if the first preset gets the focus when the dialog opens. */
  isFirst: boolean;
  form: Form;
};

function Presets({ lines, target, isFirst, form }: PresetsProps) {
  const fixes = 'rows' in target ? [] : listFixes(target.issue);
  return (
    <div className="row-wrap">
      <QuietText id="bulk-presets">{lines.entered === 0 ? 'Begin with' : 'Add'}</QuietText>
      <Group gap={6} role="group" aria-labelledby="bulk-presets">
        {[...fixes, ...presets].map((preset, at) => (
          <PlainHintedButton
            key={preset.label}
            data-autofocus={(isFirst && at === 0) || undefined}
            reason={lines.entered + preset.lines('price').length > operationsMax ? tooManyLines : null}
            onClick={() => {
              lines.choose(preset);
              focusEntry(form);
            }}
          >
            {preset.label}
          </PlainHintedButton>
        ))}
      </Group>
    </div>
  );
}

/** Focuses the remove button at index `at`, else the last remove button, else the button that adds lines. */
const focusNear = (form: Form, at: number): void =>
  focusDrawn(form, (within) => {
    const removing = within.querySelectorAll<HTMLElement>('[data-removes]');
    return removing[at] ?? removing[removing.length - 1] ?? within.querySelector('[data-adds]');
  });

/** Focuses the first empty input of the lines after a preset was chosen. */
const focusEntry = (form: Form): void =>
  focusDrawn(form, (within) => {
    const entries = [...within.querySelectorAll<HTMLElement>('[data-entry]')];
    return entries.find((entry) => entry instanceof HTMLInputElement && entry.value === '') ?? entries[0];
  });

type OperationLineProps = Omit<LineInputsProps, 'problemOf' | 'onLeave'> & {
  /** True to show every problem. Otherwise an input shows its problem only after the focus has left the input. */
  isTried: boolean;
  /** Null if the line is the only one. */
  onRemove: (() => void) | null;
};

function OperationLine({ isTried, onRemove, ...inputs }: OperationLineProps) {
  const { nth, line, onChange } = inputs;
  const problems = findLineProblems(line);
  const [left, setLeft] = useState<ReadonlySet<LineInputName>>(new Set());
  return (
    <fieldset className="stack flush framed pad-sm surface-quiet" aria-label={`Line ${nth}`}>
      <div className={`grid gap-xs ${classes.what}`}>
        <Select
          aria-label={`Field of line ${nth}`}
          data={fieldOptions}
          value={line.field}
          searchable
          nothingFoundMessage="No field has this name."
          onChange={(field) => field !== null && onChange(changeLineField(line, field as LineField))}
        />
        <Select
          aria-label={`What line ${nth} does`}
          data={listKindOptions(line.field)}
          value={line.kind}
          maxDropdownHeight={320}
          onChange={(kind) => kind !== null && onChange({ ...line, kind: kind as LineKind })}
        />
        {onRemove !== null && (
          <IconButton
            icon={IconTrash}
            size={34}
            label={`Remove line ${nth}`}
            title="Remove this line"
            data-removes
            onClick={onRemove}
          />
        )}
      </div>
      <OperationInputs
        {...inputs}
        problemOf={(input) => (isTried || left.has(input) ? problems[input] : undefined)}
        onLeave={(input) => setLeft(new Set([...left, input]))}
      />
    </fieldset>
  );
}
